"use strict";
// On every page: copy buttons, the marked entry of the contents, and all details open in print.
(() => {
  const status = document.getElementById("copied");

  async function copy(element) {
    const text = element.textContent;
    try {
      await navigator.clipboard.writeText(text);
      return "Copied";
    } catch {
      // Without access to the clipboard, select the text instead.
      const hidden = element.closest("details");
      if (hidden) hidden.open = true;
      const selection = getSelection();
      selection.removeAllRanges();
      selection.selectAllChildren(element);
      return "Press Ctrl+C or ⌘C to copy";
    }
  }

  for (const button of document.querySelectorAll("button.copy")) {
    button.addEventListener("click", async () => {
      const message = await copy(document.getElementById(button.dataset.copy));
      if (status) status.textContent = message;
    });
  }

  // The contents mark the section at the top of the window.
  const entries = [...document.querySelectorAll("nav a")];
  const list = document.querySelector("nav ul");
  let current;
  function mark() {
    const top = (entry) => document.querySelector(entry.hash).getBoundingClientRect().top;
    const isLast = innerHeight + scrollY >= document.body.scrollHeight - 2;
    const seen = isLast && scrollY > 0 ? entries : entries.filter((entry) => top(entry) < innerHeight / 3);
    const next = seen.at(-1) ?? entries[0];
    if (!next || next === current) return;
    current?.removeAttribute("aria-current");
    next.setAttribute("aria-current", "true");
    // Only sideways: the reader scrolls the page.
    list.scrollLeft = next.offsetLeft - list.clientWidth / 2;
    current = next;
  }
  addEventListener("scroll", mark, { passive: true });
  mark();

  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
})();
