// What is said when a request of the page fails: what happened, and what helps. Without this file nothing is lost either.

const KEPT = "Your code is still here, and kept in this browser.";
const HELP = {
  0: `The server did not answer. ${KEPT} Check your connection, and submit again in a moment: the same code counts once.`,
  400: `The server could not read what was sent. ${KEPT} Reload the page, and submit again.`,
  404: `This exercise is not open to you any more. ${KEPT}`,
  413: `That is too large: code may have 256 KB at most. ${KEPT} Make it smaller, and submit again.`,
  500: `Something went wrong on our side. ${KEPT} Submit again in a moment: the same code counts once.`,
};
const ASK_AGAIN_MS = 2000;

function help(status) {
  return HELP[status] ?? HELP[status >= 500 ? 500 : status ? 400 : 0];
}

function say(text, role) {
  const note = document.createElement("p");
  note.className = "note error";
  note.setAttribute("role", role);
  note.textContent = text;
  return note;
}

/** The page asks again, and says so until it is answered. */
function askAgain(result, status) {
  result.querySelector(".note.error")?.remove();
  if (status >= 400 && status < 500) {
    result.append(say("This result cannot be shown any more. Reload the page to see what is kept.", "alert"));
    return;
  }
  result.append(say("The server does not answer. Your code was handed in and is kept; this page keeps asking.", "status"));
  setTimeout(() => {
    if (result.isConnected) window.htmx.ajax("GET", result.getAttribute("hx-get"), { source: result, target: result, swap: "outerHTML" });
  }, ASK_AGAIN_MS);
}

for (const failure of ["htmx:sendError", "htmx:responseError", "htmx:timeout"]) {
  document.body.addEventListener(failure, (event) => {
    const result = document.getElementById("result");
    const status = event.detail.xhr?.status ?? 0;
    // Beside the button, and not in the result, which may be of earlier work and still be asking how that does.
    if (event.target.id === "code-form") event.target.append(say(help(status), "alert"));
    else if (event.target === result) askAgain(result, status);
  });
}

document.body.addEventListener("htmx:beforeRequest", (event) => {
  if (event.target.id === "code-form") event.target.querySelector(".note.error")?.remove();
});
