/** Texts of files that leave the window. */
export const enFilesOut = {
  ready: 'Saved. You can also drag the file from here:',
  hint: 'Drag it to a folder, an email or a chat, or click to save it.',
};
