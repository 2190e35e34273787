// The live sinusoidal encoding. The server has drawn position 3 already; this makes the drawing answer.
// Convention: interleaved, so an even dimension is a sine and the odd one after it the cosine of the same angle.

export const D_MODEL = 512;
const SHOWN = 8;
const LAST = 49;

/** PE(position, dimension), as numpy computes it. */
export function encode(position, dimension, dModel = D_MODEL) {
  const angle = position / 10000 ** ((dimension - (dimension % 2)) / dModel);
  return dimension % 2 ? Math.cos(angle) : Math.sin(angle);
}

/** As numpy prints it: a true minus sign, never "−0.000". */
export function format(value, digits) {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? (0).toFixed(digits) : text.replace("-", "−");
}

const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

function place(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}

class Demonstration {
  constructor(figure) {
    this.figure = figure;
    this.slider = figure.querySelector("input[type=range]");
    this.said = figure.querySelector("[data-said]");
    this.position = Number(this.slider.value);
    this.dimension = 0;
    figure.querySelector(".demo-control").hidden = false;
    this.slider.addEventListener("input", () => this.moveTo(Number(this.slider.value)));
    this.bars = this.chart("bars", "Bars of the chosen position. Left and right arrows choose a dimension.");
    this.map = this.chart("map", "Heat map. Left and right arrows choose a position, up and down a dimension.");
    this.bars.addEventListener("keydown", (event) => this.key(event, { ArrowLeft: [0, -1], ArrowRight: [0, 1] }));
    this.map.addEventListener("keydown", (event) =>
      this.key(event, { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }),
    );
    this.map.querySelector(".tiles").addEventListener("click", (event) => this.click(event));
    this.moveTo(this.position);
  }

  chart(name, label) {
    const chart = this.figure.querySelector(`[data-chart=${name}]`);
    // "application" lets arrow keys through to us while a screen reader is on.
    place(chart, { tabindex: "0", role: "application", "aria-label": label });
    chart.addEventListener("focus", () => this.say());
    return chart;
  }

  key(event, moves) {
    const ends = { Home: [-SHOWN, -SHOWN], End: [SHOWN, SHOWN] };
    const isMap = event.currentTarget === this.map;
    const move = moves[event.key] ?? (ends[event.key] && (isMap ? [ends[event.key][0] * LAST, 0] : [0, ends[event.key][1]]));
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.dimension = clamp(this.dimension + move[1], 0, SHOWN - 1);
    this.moveTo(clamp(this.position + move[0], 0, LAST));
    this.say();
  }

  click(event) {
    if (!/^v\d/.test(event.target.getAttribute("class"))) return;
    this.dimension = Number(event.target.getAttribute("y")) / 14;
    this.moveTo(Number(event.target.getAttribute("x")) / 7);
  }

  moveTo(position) {
    this.position = position;
    this.slider.value = position;
    this.slider.setAttribute("aria-valuetext", `Position ${position}`);
    this.figure.querySelector("output").textContent = position;
    for (const span of this.figure.querySelectorAll("[data-position]")) span.textContent = position;
    for (let dimension = 0; dimension < SHOWN; dimension += 1) this.draw(dimension);
    place(this.figure.querySelector(".column"), { x: 7 * position - 1 });
    place(this.map.querySelector(".cursor"), { x: 7 * position, y: 14 * this.dimension });
  }

  draw(dimension) {
    const value = encode(this.position, dimension);
    const bar = this.figure.querySelector(`[data-bar="${dimension}"]`);
    const fill = bar.querySelector(".bar-fill");
    place(fill, { y: 80 - 60 * Math.max(value, 0), height: 60 * Math.abs(value) });
    fill.classList.toggle("negative", value < 0);
    bar.classList.toggle("current", dimension === this.dimension);
    bar.querySelector(".bar-value").textContent = format(value, 3);
    this.figure.querySelector(`[data-number="${dimension}"]`).textContent = format(value, 6);
  }

  say() {
    const value = format(encode(this.position, this.dimension), 3);
    this.said.textContent = `Position ${this.position}, dimension ${this.dimension}: ${value}`;
  }
}

for (const figure of document.querySelectorAll("[data-sinusoidal]")) new Demonstration(figure);
