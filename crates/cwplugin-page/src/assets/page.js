"use strict";
// On every page: copy buttons, and all details open in print.
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

  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
})();
