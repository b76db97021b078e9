import { z } from 'zod';
import { jsonOrNull } from '../json-or-null.ts';
import { err, ok, type Result } from '../result.ts';
import { parseSearch } from '../search/parse-search.ts';
import { isViewLayoutKey } from './choices.ts';
import type { SavedView } from './views.ts';
import { ViewSpec } from './workspace.ts';

/** Saved views as a file for a colleague: `docs/views-format.md`. It has nothing specific to one account. */
const VERSION = 1;
/** Enough for a thousand views; a longer file can't be ours. */
export const VIEWS_FILE_MAX_BYTES = 1024 * 1024;

const ViewInFile = z.strictObject({
  name: z.string().trim().min(1).max(100),
  /** Valid in every account: without campaign and saved report. */
  view: ViewSpec.omit({ campaignId: true, report: true }),
  layout: z.record(z.string().max(100), z.union([z.number(), z.boolean(), z.string().max(2000)])),
});
export type ViewInFile = z.infer<typeof ViewInFile>;

const ViewsFile = z.strictObject({
  format: z.literal('adslate-views'),
  version: z.int(),
  views: z.array(ViewInFile).max(1000),
});

/** The text of a file with these views. A view of one campaign becomes one of the whole account. */
export function printViews(saved: readonly SavedView[]): string {
  const views = saved.map(({ name, view: { campaignId: _, report: __, ...view }, layout }) => ({ name, view, layout }));
  return `${JSON.stringify({ format: 'adslate-views', version: VERSION, views }, null, 2)}\n`;
}

export type ViewsFileProblem = 'not-views' | 'newer';

/** Parses a file of views. Layout keys that a view of its kind does not have are dropped. */
export function readViews(text: string): Result<readonly ViewInFile[], ViewsFileProblem> {
  const file = ViewsFile.safeParse(jsonOrNull(text));
  if (!file.success) return err(isNewer(text) ? 'newer' : 'not-views');
  if (file.data.version > VERSION) return err('newer');
  return ok(
    file.data.views.map((view) => ({
      ...view,
      layout: Object.fromEntries(Object.entries(view.layout).filter(([key]) => isViewLayoutKey(key, view.view.kind))),
    })),
  );
}

const isNewer = (text: string): boolean =>
  z.looseObject({ format: z.literal('adslate-views'), version: z.int().min(VERSION + 1) }).safeParse(jsonOrNull(text))
    .success;

/** A view of a file, compared with the saved ones. */
export interface IncomingView {
  readonly incoming: ViewInFile;
  /** `same`: an equal view is saved already. `taken`: another view has its name. `bad-filter`: it can't be parsed. */
  readonly is: 'new' | 'same' | 'taken' | 'bad-filter';
  /** The view that has its name; null for none. */
  readonly here: SavedView | null;
}

/** Names are compared ignoring case, within a kind. Of two views of one name in the file, the first counts. */
export function compareViews(file: readonly ViewInFile[], saved: readonly SavedView[]): readonly IncomingView[] {
  const nameOf = (each: { readonly name: string; readonly view: { readonly kind: string } }): string =>
    `${each.view.kind} ${each.name.trim().toLowerCase()}`;
  const here = new Map(saved.map((view) => [nameOf(view), view]));
  const once = new Map(file.toReversed().map((view) => [nameOf(view), view]));
  return [...once.values()].toReversed().map((incoming) => {
    const known = here.get(nameOf(incoming)) ?? null;
    const readable = parseSearch(incoming.view.filter, incoming.view.kind).ok;
    const is = !readable ? 'bad-filter' : known === null ? 'new' : isSame(incoming, known) ? 'same' : 'taken';
    return { incoming, is, here: known };
  });
}

function isSame(incoming: ViewInFile, known: SavedView): boolean {
  const alike = readViews(printViews([known]));
  return alike.ok && canonical(alike.value[0]) === canonical(incoming);
}

/** Text that is equal for equal content, for any order of keys. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
