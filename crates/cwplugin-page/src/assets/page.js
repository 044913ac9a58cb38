"use strict";
// What every page does: buttons that copy, and nothing hidden in print.
(() => {
  const status = document.getElementById("copied");

  async function copy(element) {
    const text = element.textContent;
    try {
      await navigator.clipboard.writeText(text);
      return "copied";
    } catch {
      // A page that is a file may not write to the clipboard: it shows what to copy, selected.
      const hidden = element.closest("details");
      if (hidden) hidden.open = true;
      const selection = getSelection();
      selection.removeAllRanges();
      selection.selectAllChildren(element);
      return "selected: press Ctrl+C, or ⌘C";
    }
  }

  for (const button of document.querySelectorAll("button.copy")) {
    button.addEventListener("click", async () => {
      const said = await copy(document.getElementById(button.dataset.copy));
      if (status) status.textContent = said;
    });
  }

  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
})();
