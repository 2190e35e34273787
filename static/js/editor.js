// Conveniences for the code area. Without this file it is a plain text area, and everything works.

const INDENT = "    ";

/** Insert as if typed, so that undo keeps working. */
function type(area, text) {
  area.focus();
  if (!document.execCommand("insertText", false, text)) area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
}

function lineStart(area) {
  return area.value.lastIndexOf("\n", area.selectionStart - 1) + 1;
}

class Editor {
  constructor(box) {
    this.box = box;
    this.area = box.querySelector("textarea");
    this.tabs = this.option("Tab indents", "gradus:tabs");
    this.escaped = false;
    this.numbers = document.createElement("div");
    this.numbers.className = "line-numbers";
    const gutter = document.createElement("div");
    gutter.className = "line-gutter";
    gutter.setAttribute("aria-hidden", "true");
    gutter.append(this.numbers);
    box.prepend(gutter);
    this.area.addEventListener("keydown", (event) => this.key(event));
    this.area.addEventListener("input", () => this.changed());
    this.area.addEventListener("scroll", () => (this.numbers.scrollTop = this.area.scrollTop));
    this.restore();
    this.number();
  }

  option(text, key) {
    const box = document.createElement("input");
    box.type = "checkbox";
    box.checked = read(key) === "1";
    box.addEventListener("change", () => write(key, box.checked ? "1" : "0"));
    const label = document.createElement("label");
    label.append(box, ` ${text} `);
    label.title = "When on, press Escape and then Tab to leave the code area.";
    document.getElementById("code-options").append(label);
    return box;
  }

  key(event) {
    if (event.key === "Escape") this.escaped = true;
    else if (event.key === "Tab" && this.tabs.checked && !this.escaped) this.tab(event);
    else if (event.key === "Enter" && !event.isComposing && !event.ctrlKey && !event.metaKey) this.enter(event);
    else if (event.key !== "Tab" && event.key !== "Shift") this.escaped = false;
  }

  tab(event) {
    event.preventDefault();
    if (!event.shiftKey) return type(this.area, INDENT);
    const start = lineStart(this.area);
    const spaces = this.area.value.slice(start).match(/^ {0,4}/)[0].length;
    const caret = this.area.selectionStart;
    if (!spaces) return;
    this.area.setSelectionRange(start, start + spaces);
    document.execCommand("delete");
    this.area.setSelectionRange(Math.max(start, caret - spaces), Math.max(start, caret - spaces));
  }

  enter(event) {
    const line = this.area.value.slice(lineStart(this.area), this.area.selectionStart);
    const indent = line.match(/^ */)[0] + (/:\s*$/.test(line) ? INDENT : "");
    if (!indent) return;
    event.preventDefault();
    type(this.area, `\n${indent}`);
  }

  changed() {
    this.number();
    write(this.draftKey, this.area.value);
  }

  number() {
    const lines = this.area.value.split("\n").length;
    if (lines === this.lines) return;
    this.lines = lines;
    // One line more than there is, so that the gutter can scroll as far as the text area with its scroll bar.
    this.numbers.textContent = Array.from({ length: lines }, (_, line) => line + 1).join("\n") + "\n\n";
  }

  get draftKey() {
    return `gradus:draft:${this.box.dataset.draft}`;
  }

  /** What was typed but never sent comes back; the server's text is one click away. */
  restore() {
    const draft = read(this.draftKey);
    const served = this.area.value;
    if (draft === null || draft === served) return;
    this.area.value = draft;
    const note = document.createElement("p");
    note.className = "note draft";
    const button = document.createElement("button");
    button.type = "button";
    button.className = "plain";
    button.textContent = "Discard it";
    button.addEventListener("click", () => {
      this.area.value = served;
      forget(this.draftKey);
      this.number();
      note.remove();
      this.area.focus();
    });
    note.append("Your unsent draft is back. ", button);
    this.box.before(note);
  }
}

// Storage may be forbidden; then there are no drafts.
function read(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    /* no drafts */
  }
}

function forget(key) {
  try {
    localStorage.removeItem(key);
  } catch {
    /* no drafts */
  }
}

const box = document.querySelector("[data-editor]");
const editor = box && new Editor(box);

document.body.addEventListener("htmx:afterRequest", (event) => {
  if (event.target.id === "code-form" && event.detail.successful) {
    forget(editor.draftKey);
    document.querySelector(".note.draft")?.remove();
  }
});

// What was just handed in must be seen, also on a small screen where the result lies below.
document.body.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.requestConfig?.verb !== "post") return;
  const result = document.getElementById("result");
  if (result.getBoundingClientRect().bottom < window.innerHeight) return;
  const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  result.scrollIntoView({ block: "center", behavior: still ? "auto" : "smooth" });
});

for (const failure of ["htmx:sendError", "htmx:responseError", "htmx:timeout"]) {
  document.body.addEventListener(failure, (event) => {
    const result = document.getElementById("result");
    if (event.target.id === "code-form") {
      const note = document.createElement("p");
      note.className = "note error";
      note.setAttribute("role", "alert");
      note.textContent = "The server did not answer. Your code is still here and kept in this browser; try again in a moment.";
      result.replaceChildren(note);
    } else if (event.target === result) {
      // Asking again later is harmless: the work is kept on the server.
      setTimeout(() => window.htmx.trigger(result, "load"), 3000);
    }
  });
}
