/** Texts of fitting a picture to what a logo has to be. */
export const enMedia = {
  fit: (width: number, height: number) => `Fit to ${width} × ${height}`,
  hint: 'Each as it would look on light and on dark. What was transparent stays so.',
  modes: { pad: 'Whole picture, with margins', crop: 'Fill the square, edges cut off' },
  use: (mode: string) => `Use: ${mode.toLowerCase()}`,
  usedBy: 'Used by',
  unused: 'Nothing uses this file yet.',
  unreadable: 'This picture cannot be drawn here. Save it as PNG, then add it again.',
  tooLarge: 'This picture has too many pixels to be fitted here. Save it smaller, then add it again.',
};
