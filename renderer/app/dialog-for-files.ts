import type { Dialog } from './store/dialog.ts';

const isSheet = (file: File): boolean => /\.(csv|tsv|txt|xlsx|adslate|adslate-changes)$/i.test(file.name);

const isPlan = (file: File): boolean => /\.adslate-plan$/i.test(file.name);

/** A plan file opens as one, and so does any file dropped on an open plan. A sheet opens the import and takes the files dropped with it along; so do files dropped on an open import. */
export function dialogFor(files: readonly File[], open: Dialog | null): Dialog {
  const plan = open?.name === 'run-plan' ? files[0] : files.find(isPlan);
  if (plan !== undefined) return { name: 'run-plan', file: plan };
  const sheet = files.find(isSheet) ?? (open?.name === 'sheet' ? open.file : null);
  const media = files.filter((file) => !isSheet(file));
  return sheet === null ? { name: 'media', files } : { name: 'sheet', file: sheet, media };
}
