import type { RowRef } from '../../shared/api/scalars.ts';
import type { AppStore } from './store/app-store.ts';
import type { Dialog } from './store/dialog.ts';

const isSheet = (file: File): boolean => /\.(csv|tsv|txt|xlsx|adslate|adslate-changes)$/i.test(file.name);

const isPlan = (file: File): boolean => /\.adslate-plan$/i.test(file.name);

/** A spreadsheet opens the import with all files dropped with it. An open import gets all files. */
export function dialogFor(files: readonly File[], open: Dialog | null, onto?: RowRef): Dialog {
  const sheet = files.find(isSheet) ?? (open?.name === 'sheet' ? open.file : null);
  const media = files.filter((file) => !isSheet(file));
  return sheet === null ? { name: 'media', files, onto } : { name: 'sheet', file: sheet, media };
}

/** Opens dropped files in the dialog for their type, which sets those for the library on the row `onto`. On a sync page that asks for a plan, any file is one. */
export function openFiles({ getState }: AppStore, files: readonly File[], onto?: RowRef): void {
  const { dialog, openSync, place, show, syncOptions } = getState();
  const plan = place === 'sync' && syncOptions.file !== null ? files[0] : files.find(isPlan);
  if (plan === undefined) show(dialogFor(files, dialog, onto));
  else openSync({ file: plan });
}
