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
    const served = this.area.defaultValue;
    if (draft === null || draft === served) return;
    this.area.value = draft;
    const note = this.note("Your unsent draft is back. ", "Discard it", () => {
      this.area.value = served;
      forget(this.draftKey);
      this.number();
      note.remove();
      this.area.focus();
    });
  }

  /** Put a chosen file where it can be seen and changed: what is submitted is what stands in the editor. */
  async open(input) {
    const [file] = input.files;
    if (!file) return;
    const most = Number(input.dataset.mostBytes);
    // A line end may be two bytes in the file, and counts as one.
    const bytes = file.size > 2 * most ? null : new Uint8Array(await file.arrayBuffer());
    input.value = "";
    const text = bytes && decoded(bytes)?.replace(/\r\n?/g, "\n");
    if (!bytes || new TextEncoder().encode(text ?? "").length > most) this.refuse(file.name, input.dataset.large);
    else if (text?.trim()) this.fill(file.name, text);
    else this.refuse(file.name, input.dataset[problem(bytes, text)]);
  }

  fill(name, text) {
    const kept = [this.area.value, text];
    const note = this.note(`“${name}” is in the editor now. `, "Bring back what was there", (button) => {
      kept.reverse();
      this.put(kept[1]);
      button.textContent = kept[1] === text ? "Bring back what was there" : `Use “${name}” again`;
    });
    note.setAttribute("role", "status");
    this.put(text);
  }

  put(text) {
    this.area.value = text;
    this.changed();
  }

  refuse(name, sentence) {
    const note = this.note(`“${name}” was not used, and your code is as it was. ${sentence}`);
    note.classList.add("error");
    note.setAttribute("role", "alert");
  }

  /** Say something above the code, in place of what was said there before. */
  note(text, label, act) {
    document.querySelector(".note.draft")?.remove();
    const note = document.createElement("p");
    note.className = "note draft";
    note.append(text);
    if (label) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "plain";
      button.textContent = label;
      button.addEventListener("click", () => act(button));
      note.append(button);
    }
    this.box.before(note);
    return note;
  }
}

/** As UTF-8, without a byte-order mark; null if it is none. */
function decoded(bytes) {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function problem(bytes, text) {
  if (bytes.includes(0)) return "binary";
  return text == null ? "encoding" : "empty";
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

if (editor) {
  // A refused form is shown at the address that it was sent to: reloading the page should not send it again.
  if (location.pathname !== box.dataset.page) history.replaceState(null, "", box.dataset.page);
  const file = document.getElementById("file");
  file.addEventListener("change", () => editor.open(file));
  document.querySelector("label[for=file]").textContent = "Open a Python file or a notebook in the editor";
}

document.body.addEventListener("htmx:afterRequest", (event) => {
  if (event.target.id !== "code-form") return;
  const status = event.detail.xhr?.status ?? 0;
  if (status >= 200 && status < 300) {
    forget(editor.draftKey);
    document.querySelector(".note.draft")?.remove();
  } else {
    editor.changed(); // kept, also if it was not typed here
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
