/** As a `ref`: takes the focus as soon as the element is there, where a part of an open dialog has changed. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus();
