/** Lets a mouse drag the view. Fingers scroll by themselves. */
export function dragByMouse(view: HTMLElement): void {
  let held: { x: number; y: number; left: number; top: number; isMoved: boolean } | undefined;
  view.addEventListener("dragstart", (event) => event.preventDefault());
  view.addEventListener("pointerdown", ({ pointerType, button, clientX: x, clientY: y }) => {
    if (pointerType !== "mouse" || button !== 0) return;
    held = { x, y, left: view.scrollLeft, top: view.scrollTop, isMoved: false };
  });
  addEventListener("pointermove", ({ clientX: x, clientY: y }) => {
    if (held === undefined) return;
    held.isMoved ||= Math.hypot(x - held.x, y - held.y) > 4;
    if (held.isMoved) view.scrollTo(held.left + held.x - x, held.top + held.y - y);
  });
  // The click at the end of a drag is for nothing below it.
  view.addEventListener(
    "click",
    (event) => {
      if (held?.isMoved === true) {
        event.preventDefault();
        event.stopPropagation();
      }
      held = undefined;
    },
    { capture: true },
  );
  addEventListener("pointerup", () => setTimeout(() => (held = undefined)));
}
