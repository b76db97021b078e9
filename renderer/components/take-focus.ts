/** As a `ref`: focuses the element when it is mounted, for a part of an open dialog that has changed. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus();
