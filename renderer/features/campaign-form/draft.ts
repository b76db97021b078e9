import type { CampaignTemplate } from '../../../shared/api/campaigns.ts';
import type { WindowRow } from '../../../shared/api/workspace.ts';
import type { Cell, FieldSpec } from '../../../shared/model/field-types.ts';
import { type FieldsOf, fieldSpecs } from '../../../shared/model/fields.ts';
import { KINDS, type Kind } from '../../../shared/model/kinds.ts';
import { plainDate } from '../../../shared/model/plain-date.ts';
import { isDeleted } from '../../../shared/model/row.ts';
import { isUnseen, textKey } from '../../../shared/model/text.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { endsTooEarly } from '../../../shared/rules/campaign.ts';
import type { NewRow } from '../../app/actions.ts';
import { dialogTexts } from '../../app/dialog-texts.ts';
import { editText, plainText, readCell } from '../../app/locale/cells.ts';
import { locale } from '../../app/locale/current.ts';
import { limits } from '../../app/locale/limits.ts';
import { countText } from '../../app/locale/numbers.ts';
import { typedAmount } from '../../app/locale/read-amount.ts';
import { cellOf } from '../../app/row-cells.ts';
import type { CampaignShape } from '../../app/store/dialog.ts';
import { readLines, withBids } from './lines.ts';
import { lineProblemsText } from './text.ts';

const texts = {
  nameMissing: 'Enter a campaign name.',
  endTooEarly: 'Choose a day after the start date.',
  tooMany: (n: number, max: number) =>
    `${countText(n)} distinct keywords. An ad group can have up to ${countText(max)}.`,
} as const;

type FormFieldOf<Specs> = {
  [F in keyof Specs]: Specs[F] extends { readonly form: string } ? F : never;
}[keyof Specs];
type FormField = { [K in Kind]: FormFieldOf<FieldsOf<K>> }[Kind];

export interface FormLine {
  readonly kind: Kind;
  readonly field: FormField;
  readonly spec: FieldSpec;
}

/** The fields of a part of the form, in the order of the model. */
const formLines = (part: NonNullable<FieldSpec['form']>): readonly FormLine[] =>
  KINDS.flatMap((kind) =>
    Object.entries(fieldSpecs(kind)).flatMap(([field, spec]) =>
      // The type of `FormField` contains every field with a part.
      spec.form === part ? [{ kind, field: field as FormField, spec }] : [],
    ),
  );
export const CAMPAIGN_LINES = formLines('campaign');
export const BANNER_LINES = formLines('banner');
export const FORM_LINES = [...CAMPAIGN_LINES, ...BANNER_LINES];

/** The typed texts, by field. `file` is the row ID of the logo or the video in the media library; empty without one. */
export type CampaignDraft = Readonly<Record<FormField | 'items' | 'keywords' | 'matchType' | 'bid' | 'file', string>>;

export const EMPTY_DRAFT: CampaignDraft = {
  ...(Object.fromEntries(FORM_LINES.map(({ field }) => [field, ''])) as Record<FormField, string>),
  items: '',
  keywords: '',
  matchType: 'broad',
  bid: '1.50',
  file: '',
};

export interface DraftProblem {
  readonly field: keyof CampaignDraft;
  readonly text: string;
}

const TYPES: Readonly<Record<CampaignShape, { readonly campaignType: string; readonly targetingType: string }>> = {
  video: { campaignType: 'video', targetingType: 'manual' },
  sba: { campaignType: 'sba', targetingType: 'manual' },
  auto: { campaignType: 'sponsoredProducts', targetingType: 'auto' },
  manual: { campaignType: 'sponsoredProducts', targetingType: 'manual' },
};

export const hasKeywords = (shape: CampaignShape): boolean => shape !== 'auto';

/**
 * The rows of a new campaign as one unit: campaign, ad group, profile, items and keywords. Fails only for text that
 * can't be parsed; rules are checked once the draft exists.
 */
export function draftRows(shape: CampaignShape, draft: CampaignDraft): Result<readonly NewRow[], DraftProblem> {
  if (isUnseen(draft.name)) return err({ field: 'name', text: texts.nameMissing });
  const filled = readLinesOf(CAMPAIGN_LINES, draft);
  if (!filled.ok) return filled;
  const campaign = { ...TYPES[shape], status: 'enabled', ...filled.value };
  const rows: NewRow[] = [
    { kind: 'campaign', parent: null, values: campaign },
    {
      kind: 'adGroup',
      parent: { at: 0 },
      values: { name: dialogTexts.create.groupName(draft.name.trim()), status: 'enabled' },
    },
  ];
  const profile = profileRow(shape, draft);
  if (!profile.ok) return profile;
  rows.push(...profile.value);
  const bid = read('keyword', 'bid', draft.bid, 'bid');
  if (!bid.ok) return bid;
  const group = { at: 1 };
  const items = readLines('adItem', draft.items, { bid: bid.value, status: 'enabled' });
  if (!items.ok) return err({ field: 'items', text: lineProblemsText(items.error) });
  rows.push(...items.value.map((values): NewRow => ({ kind: 'adItem', parent: group, values })));
  if (!hasKeywords(shape)) return ok(rows);
  const defaults = { matchType: draft.matchType, bid: bid.value, state: 'enabled' };
  const keywords = readLines('keyword', draft.keywords, defaults);
  if (!keywords.ok) return err({ field: 'keywords', text: lineProblemsText(keywords.error) });
  rows.push(...keywords.value.map((values): NewRow => ({ kind: 'keyword', parent: group, values })));
  return ok(rows);
}

/** SBA and video campaigns need a profile to go live; it is created even when still empty. */
function profileRow(shape: CampaignShape, draft: CampaignDraft): Result<readonly NewRow[], DraftProblem> {
  const parent = { at: 1 };
  const file = draft.file === '' ? null : Number(draft.file);
  if (shape === 'video') {
    const video = file === null ? {} : { video: file };
    return ok([{ kind: 'videoProfile', parent, values: { status: 'enabled', ...video } }]);
  }
  if (shape !== 'sba') return ok([]);
  const filled = readLinesOf(BANNER_LINES, draft);
  if (!filled.ok) return filled;
  const logo = file === null ? {} : { logo: file };
  return ok([{ kind: 'sbaProfile', parent, values: { status: 'enabled', ...filled.value, ...logo } }]);
}

/** The cells of the filled-in fields, or the first that can't be parsed. */
function readLinesOf(
  lines: readonly FormLine[],
  draft: CampaignDraft,
): Result<Readonly<Record<string, Cell>>, DraftProblem> {
  const values: Record<string, Cell> = {};
  for (const { kind, field } of lines) {
    const parsed = read(kind, field, draft[field], field);
    if (!parsed.ok) return parsed;
    if (parsed.value !== null) values[field] = parsed.value;
  }
  return ok(values);
}

/** Why the text of a field is not valid. */
export function fieldProblem(name: keyof CampaignDraft, draft: CampaignDraft): string | undefined {
  const start = plainDate(draft.startDate);
  const end = plainDate(draft.endDate);
  if (name === 'endDate' && start !== null && end !== null && endsTooEarly(start, end)) return texts.endTooEarly;
  if (name === 'keywords') {
    const keys = draft.keywords.split(/[\r\n]+/).map((text) => textKey(text.split('\t')[0] ?? ''));
    const distinct = new Set(keys.filter((key) => key !== '')).size;
    const max = limits().keywords.maxDistinctEnabled;
    return distinct > max ? texts.tooMany(distinct, max) : undefined;
  }
  const line =
    name === 'bid' ? { kind: 'keyword' as const, field: name } : FORM_LINES.find(({ field }) => field === name);
  const parsed = line === undefined ? null : readCell(line.kind, line.field, draft[name]);
  return parsed === null || parsed.ok ? undefined : parsed.error;
}

function read(kind: Kind, field: string, text: string, at: keyof CampaignDraft): Result<Cell, DraftProblem> {
  const parsed = readCell(kind, field, text);
  return parsed.ok ? parsed : err({ field: at, text: parsed.error });
}

/** The rows of a campaign that a form can contain, without values owned by the service. */
interface CampaignRows {
  readonly campaign: WindowRow;
  readonly items: readonly WindowRow[];
  readonly keywords: readonly WindowRow[];
  readonly profiles: readonly WindowRow[];
}

const shownText = (kind: Kind, row: WindowRow, field: string): string =>
  editText(kind, field, cellOf(kind, row, field));

/** Whether the row bids: the form creates rows that do, so a copy of a paused one would begin to spend. */
const isOn = (kind: 'adItem' | 'keyword', row: WindowRow): boolean =>
  (cellOf(kind, row, kind === 'adItem' ? 'status' : 'state') ?? 'enabled') === 'enabled';

const textsOf = (lines: readonly FormLine[], row: WindowRow): Partial<CampaignDraft> =>
  Object.fromEntries(lines.map(({ kind, field }) => [field, shownText(kind, row, field)]));

const isDay = ({ spec }: FormLine): boolean => spec.type.is === 'date';

export function shapeOf(campaign: WindowRow): CampaignShape {
  const type = cellOf('campaign', campaign, 'campaignType');
  if (type === 'video' || type === 'sba') return type;
  return cellOf('campaign', campaign, 'targetingType') === 'auto' ? 'auto' : 'manual';
}

/**
 * The form that would create the same campaign again, with items, keywords and bids, but without dates and paused or
 * final rows.
 */
export function draftOf({ campaign, items, keywords, profiles }: CampaignRows): CampaignDraft {
  const [profile] = profiles.filter((row) => !isDeleted(row));
  const lines = (kind: 'adItem' | 'keyword', rows: readonly WindowRow[], fields: readonly string[]): string =>
    rows
      .filter((row) => !isDeleted(row) && isOn(kind, row))
      .map((row) => fields.map((field) => shownText(kind, row, field)).join('\t'))
      .join('\n');
  return {
    ...EMPTY_DRAFT,
    ...textsOf(
      CAMPAIGN_LINES.filter((line) => !isDay(line)),
      campaign,
    ),
    items: lines('adItem', items, ['itemId', 'bid']),
    keywords: lines('keyword', keywords, ['text', 'matchType', 'bid']),
    ...(profile === undefined ? {} : textsOf(BANNER_LINES, profile)),
  };
}

/** The kind whose rules parse each amount of the form, by field. */
const AMOUNTS: ReadonlyMap<string, Kind> = new Map([
  ...FORM_LINES.filter(({ spec }) => spec.type.is === 'money').map(({ field, kind }) => [field, kind] as const),
  ['bid', 'keyword'],
]);

/** A stored form as a draft; fields that no longer exist are ignored. */
export function draftFrom(form: Readonly<Record<string, string>>): CampaignDraft {
  const known = Object.entries(EMPTY_DRAFT).map(([field, empty]): [string, string] => [field, form[field] ?? empty]);
  return rewritten({ ...EMPTY_DRAFT, ...Object.fromEntries(known) }, typedAmountHere);
}

/** The rows of the campaign that a template describes, named as the template if that has no campaign name. */
export function templateRows({ name, shape, form }: CampaignTemplate): Result<readonly NewRow[], DraftProblem> {
  const draft = draftFrom(form);
  return draftRows(shape, { ...draft, name: draft.name.trim() || name });
}

/**
 * A form for storage: amounts with decimal points, so that it reads the same in every locale, without dates and file.
 */
export function storedForm(draft: CampaignDraft): Readonly<Record<string, string>> {
  const days = new Set<string>(FORM_LINES.filter(isDay).map(({ field }) => field));
  const form = rewritten(draft, (field, kind, text) => {
    const plain = plainText(kind, field, text);
    // Invalid amounts are stored as typed; the form reports them when it is used.
    return plain.ok ? plain.value : text;
  });
  return Object.fromEntries(Object.entries(form).filter(([field]) => field !== 'file' && !days.has(field)));
}

const typedAmountHere = (_field: string, _kind: Kind, text: string): string => typedAmount(text, locale().style);

/** The form with every amount replaced by `write`, those of items and keywords too. */
function rewritten(draft: CampaignDraft, write: (field: string, kind: Kind, text: string) => string): CampaignDraft {
  const bid = (text: string): string => write('bid', 'keyword', text);
  const fields = Object.entries(draft).map(([field, text]: [string, string]) => {
    const kind = AMOUNTS.get(field);
    return [field, kind === undefined ? text : write(field, kind, text)];
  });
  return {
    ...draft,
    ...Object.fromEntries(fields),
    items: withBids('adItem', draft.items, bid),
    keywords: withBids('keyword', draft.keywords, bid),
  };
}
