import { type FieldsOf, fieldSpecs } from '../model/fields.ts';
import { KINDS, type Kind } from '../model/kinds.ts';

/** Columns beside those of fields: which row is meant, and what users write about it. */
type LinkColumn = 'Type' | 'Campaign id' | 'Ad group id' | 'Row id' | 'Comment';

type HeadingOf<Specs> = { [F in keyof Specs]: Specs[F] extends { readonly heading: infer H } ? H : never }[keyof Specs];
type FieldHeading = { [K in Kind]: HeadingOf<FieldsOf<K>> }[Kind];

export type Column = LinkColumn | FieldHeading;

/** Kinds that have a row of their own, under the name they have in the `Type` column. Media travels with profiles. */
export const TYPE_NAMES = {
  campaign: 'campaign',
  adGroup: 'ad group',
  adItem: 'ad item',
  keyword: 'keyword',
  sbaProfile: 'sba profile',
  videoProfile: 'video profile',
  placementMultiplier: 'placement multiplier',
  platformMultiplier: 'platform multiplier',
} as const satisfies Partial<Record<Kind, string>>;
export type SheetKind = keyof typeof TYPE_NAMES;

/** Fields of these kinds that have a column, in the order of the columns; the first of each name. */
function fieldsWithHeading(kinds: readonly Kind[]) {
  const found: { readonly column: Column; readonly field: string; readonly isFile: boolean }[] = [];
  for (const kind of kinds) {
    for (const [field, { heading, after, type }] of Object.entries(fieldSpecs(kind))) {
      if (heading === undefined || found.some(({ column }) => column === heading)) continue;
      const behind = found.findIndex(({ column }) => column === after);
      // Its type is that of the table; only the table's own words come here.
      const made = { column: heading as FieldHeading, field, isFile: type.is === 'ref' || kind === 'media' };
      found.splice(behind < 0 ? found.length : behind + 1, 0, made);
    }
  }
  return found;
}

/**
 * The columns of the import and export sheet: one table, one row per thing. Order here is the order of export;
 * an import takes them in any order.
 */
export const COLUMNS: readonly Column[] = [
  'Type',
  ...fieldsWithHeading(KINDS).map(({ column }) => column),
  'Campaign id',
  'Ad group id',
  'Row id',
  'Comment',
];

const ofEachKind = <T>(value: (kind: SheetKind) => T) =>
  Object.fromEntries((Object.keys(TYPE_NAMES) as SheetKind[]).map((kind) => [kind, value(kind)])) as Readonly<
    Record<SheetKind, T>
  >;

/** Which field a column fills, by kind. Logo, Video, Caption and Media name lead to files, not to cells. */
export const FIELD_OF: Readonly<Record<SheetKind, Partial<Record<Column, string>>>> = ofEachKind((kind) =>
  Object.fromEntries(
    fieldsWithHeading([kind]).flatMap(({ column, field, isFile }) => (isFile ? [] : [[column, field] as const])),
  ),
);

/** Columns of files, by kind: those a profile refers to, and what travels with a video. */
export const FILE_COLUMNS: Readonly<Partial<Record<SheetKind, readonly Column[]>>> = Object.fromEntries(
  (['sbaProfile', 'videoProfile'] as const).map((kind) => [
    kind,
    fieldsWithHeading(kind === 'videoProfile' ? [kind, 'media'] : [kind]).flatMap(({ column, isFile }) =>
      isFile ? [column] : [],
    ),
  ]),
);

/** Columns that say which row is meant and where it hangs; every kind may fill them. */
export const LINK_COLUMNS: ReadonlySet<Column> = new Set<Column>([
  'Type',
  'Campaign',
  'Ad group',
  'Campaign id',
  'Ad group id',
  'Row id',
  'Comment',
]);

/** Headers are compared without case, blanks and signs; these are other words for the columns beside fields. */
const SYNONYMS: Readonly<Record<string, LinkColumn>> = {
  kind: 'Type',
  rowtype: 'Type',
  entity: 'Type',
  id: 'Row id',
  aditemid: 'Row id',
  keywordid: 'Row id',
  sbaprofileid: 'Row id',
  adgroupmediaid: 'Row id',
  comments: 'Comment',
  note: 'Comment',
};

const headerKey = (header: string): string => header.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
const BY_KEY: ReadonlyMap<string, Column> = new Map([
  ...COLUMNS.map((column) => [headerKey(column), column] as const),
  ...Object.entries(SYNONYMS),
  ...KINDS.flatMap((kind) =>
    Object.values(fieldSpecs(kind)).flatMap(({ heading, headings = [] }) =>
      headings.map((header) => [header, heading as Column] as const),
    ),
  ),
]);

/** The column a header means, or null when it is none of ours. */
export const columnOf = (header: string): Column | null => BY_KEY.get(headerKey(header)) ?? null;

const KIND_BY_TYPE: ReadonlyMap<string, SheetKind> = new Map(
  Object.entries(TYPE_NAMES).map(([kind, name]) => [headerKey(name), kind as SheetKind]),
);

/** The kind a `Type` cell means: `Ad Group`, `adGroup` and `ad_group` are the same. */
export const sheetKind = (text: string): SheetKind | null =>
  KIND_BY_TYPE.get(text) ?? KIND_BY_TYPE.get(headerKey(text)) ?? null;
