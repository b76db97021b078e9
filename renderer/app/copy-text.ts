/** Puts text on the clipboard. @returns false where the browser keeps the clipboard closed to the page */
export const copyText = (text: string): Promise<boolean> =>
  navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
