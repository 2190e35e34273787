// The live sinusoidal encoding. The server has drawn position 3 already; this makes the drawing answer.
// Convention: interleaved, so an even dimension is a sine and the odd one after it the cosine of the same angle.

const PAIRS = 4;
const SHOWN = 2 * PAIRS;
const LAST = 49;
const SHADES = 16;

/** PE(position, dimension), as numpy computes it. */
export function encode(position, dimension, dModel) {
  const angle = position / 10000 ** ((dimension - (dimension % 2)) / dModel);
  return dimension % 2 ? Math.cos(angle) : Math.sin(angle);
}

/** The dimensions of four pairs: the "first", the "last", or pairs "spread" from the first to the last. */
export function dimensions(which, dModel) {
  const pairs = dModel / 2;
  const pair = {
    first: (n) => n,
    spread: (n) => Math.round((n * (pairs - 1)) / (PAIRS - 1)),
    last: (n) => pairs - PAIRS + n,
  }[which];
  return Array.from({ length: SHOWN }, (_, slot) => 2 * pair(Math.floor(slot / 2)) + (slot % 2));
}

/** By how many radians the pair of a dimension turns from one position to the next. */
export function rate(dimension, dModel) {
  return 10000 ** (-(dimension - (dimension % 2)) / dModel);
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

/** `slot`, 0 … 7, counts the dimensions that are drawn; `shown` says which they are. */
class Demonstration {
  constructor(figure) {
    this.figure = figure;
    this.slider = figure.querySelector("input[type=range]");
    this.said = figure.querySelector("[data-said]");
    this.tiles = figure.querySelectorAll(".tiles > [class^=v]");
    this.choices = figure.querySelector(".demo-choices");
    this.position = Number(this.slider.value);
    this.slot = 0;
    for (const control of figure.querySelectorAll(".demo-choices, .demo-control")) control.hidden = false;
    this.slider.addEventListener("input", () => this.moveTo(Number(this.slider.value)));
    this.choices.addEventListener("change", () => this.choose());
    this.bars = this.chart("bars", "Bars of the chosen position. Left and right arrows choose a dimension.");
    this.map = this.chart("map", "Heat map. Left and right arrows choose a position, up and down a dimension.");
    this.bars.addEventListener("keydown", (event) => this.key(event, { ArrowLeft: [0, -1], ArrowRight: [0, 1] }));
    this.map.addEventListener("keydown", (event) =>
      this.key(event, { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }),
    );
    this.map.querySelector(".tiles").addEventListener("click", (event) => this.click(event));
    this.choose();
  }

  chart(name, label) {
    const chart = this.figure.querySelector(`[data-chart=${name}]`);
    // "application" lets arrow keys through to us while a screen reader is on.
    place(chart, { tabindex: "0", role: "application", "aria-label": label });
    chart.addEventListener("focus", () => this.say());
    return chart;
  }

  choose() {
    this.dModel = Number(this.choices.querySelector("[name=pe-width]:checked").value);
    this.shown = dimensions(this.choices.querySelector("[name=pe-dimensions]:checked").value, this.dModel);
    // All of a narrow model is shown anyway.
    this.choices.querySelector("[data-which]").disabled = this.dModel === SHOWN;
    this.write("[data-width]", this.dModel);
    this.write("[data-shown]", this.names());
    const rates = [0, 2, 4, 6].map((slot) => Number(rate(this.shown[slot], this.dModel).toPrecision(3)));
    this.figure.querySelectorAll("[data-rate]").forEach((span, pair) => (span.textContent = rates[pair]));
    this.shown.forEach((dimension, slot) => {
      this.write(`[data-name="${slot}"]`, dimension);
      this.write(`[data-exponent="${slot}"]`, `${dimension - (dimension % 2)}/${this.dModel}`);
    });
    this.tiles.forEach((tile, index) => {
      const value = this.value(Math.floor(index / (LAST + 1)), index % (LAST + 1));
      tile.setAttribute("class", `v${Math.round(((value + 1) / 2) * SHADES)}`);
    });
    this.moveTo(this.position);
  }

  /** "0 to 7", or the pairs one by one. */
  names() {
    const [first, last] = [this.shown[0], this.shown[SHOWN - 1]];
    return last - first < SHOWN ? `${first} to ${last}` : `${this.shown.slice(0, -1).join(", ")} and ${last}`;
  }

  write(selector, text) {
    for (const element of this.figure.querySelectorAll(selector)) element.textContent = text;
  }

  value(slot, position = this.position) {
    return encode(position, this.shown[slot], this.dModel);
  }

  key(event, moves) {
    const ends = { Home: [-SHOWN, -SHOWN], End: [SHOWN, SHOWN] };
    const isMap = event.currentTarget === this.map;
    const move = moves[event.key] ?? (ends[event.key] && (isMap ? [ends[event.key][0] * LAST, 0] : [0, ends[event.key][1]]));
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.slot = clamp(this.slot + move[1], 0, SHOWN - 1);
    this.moveTo(clamp(this.position + move[0], 0, LAST));
    this.say();
  }

  click(event) {
    if (!/^v\d/.test(event.target.getAttribute("class"))) return;
    this.slot = Number(event.target.getAttribute("y")) / 14;
    this.moveTo(Number(event.target.getAttribute("x")) / 7);
  }

  moveTo(position) {
    this.position = position;
    this.slider.value = position;
    this.slider.setAttribute("aria-valuetext", `Position ${position}`);
    this.write("output, [data-position]", position);
    for (let slot = 0; slot < SHOWN; slot += 1) this.draw(slot);
    place(this.figure.querySelector(".column"), { x: 7 * position - 1 });
    place(this.map.querySelector(".cursor"), { x: 7 * position, y: 14 * this.slot });
  }

  draw(slot) {
    const value = this.value(slot);
    const bar = this.figure.querySelector(`[data-bar="${slot}"]`);
    const fill = bar.querySelector(".bar-fill");
    place(fill, { y: 80 - 60 * Math.max(value, 0), height: 60 * Math.abs(value) });
    fill.classList.toggle("negative", value < 0);
    bar.classList.toggle("current", slot === this.slot);
    bar.querySelector(".bar-value").textContent = format(value, 3);
    this.write(`[data-number="${slot}"]`, format(value, 6));
  }

  say() {
    const value = format(this.value(this.slot), 3);
    this.said.textContent = `Position ${this.position}, dimension ${this.shown[this.slot]}: ${value}`;
  }
}

for (const figure of document.querySelectorAll("[data-sinusoidal]")) new Demonstration(figure);
