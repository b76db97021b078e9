/** Texts of files that leave the window. */
export const enFilesOut = {
  ready: 'Saved. You can also drag it from here:',
  hint: 'Drag it to a folder, a mail or a chat. A click saves it.',
};
