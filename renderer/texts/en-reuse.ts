/** Texts about a file that the library had already. */
export const enReuse = {
  here: 'It was here before and is not uploaded yet.',
  uploaded: (mediaId: string) => `Uploaded already as media ${mediaId}. It can be used again without another upload.`,
  use: 'Use in a campaign…',
  useHint: 'Picks it up: go to the campaign and press Ctrl+V.',
  show: 'Show in the library',
};
