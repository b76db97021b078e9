export function saveText(fileName: string, text: string, type = 'text/csv'): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  saveFrom(fileName, url);
  URL.revokeObjectURL(url);
}

/** Downloads a file that main has written; `url` is below the window's own origin. */
export function saveFrom(fileName: string, url: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
}

/** Copies text to the clipboard. @returns false if the browser does not let the page write to it */
export const copyText = (text: string): Promise<boolean> =>
  navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
