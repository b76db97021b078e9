/** As a `ref`: takes the focus as soon as the element is there, where a part of an open dialog has changed. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus();

/** The same for what could not take it when the dialog opened, as a button that had to wait; never from anything else in the dialog. */
export const takeIdleFocus = (element: HTMLElement | null): void => {
  const dialog = element?.closest('[role="dialog"]');
  if (dialog?.contains(document.activeElement) !== true) element?.focus();
};
