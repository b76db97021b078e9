/** Texts about a file that the library had already. */
export const enReuse = {
  here: 'Already in the library, not uploaded yet.',
  uploaded: (mediaId: string) => `Already uploaded as media ${mediaId}. You can use it again without uploading.`,
  use: 'Use in a campaign…',
  useHint: 'Copies the file. Open a campaign and press Ctrl+V to attach it.',
  show: 'Show in the library',
};
