import type { DeploymentSettings } from '../deployment/deployment-settings.ts';
import { canonicalClickUrl } from '../model/click-url.ts';
import { formatDecimal } from '../model/decimal.ts';
import type { Cell, FieldSpec } from '../model/field-types.ts';
import { type AnyValues, fieldSpec, fieldSpecs } from '../model/fields.ts';
import { KINDS, type Kind } from '../model/kinds.ts';
import { OPEN_END } from '../model/plain-date.ts';
import { isDeleted, type Row } from '../model/row.ts';
import type { RemoteId, RowId } from '../model/scalars.ts';
import type { PlanBatch, PlanElement, WireObject, WireValue } from './plan-types.ts';

/**
 * Converts a row to one element of a request body, with the values that it sends. The members are those that the
 * fields declare (`model/fields.ts`), in their order; each function here adds the differences of its call.
 * Spelling and order follow the samples of the partner API document; where it has none, the deployment's dialect decides.
 *
 * Numbers are `{num}` with decimal text, IDs `{num}` or `{ref}` to a row without an ID; `renderBatch` writes them.
 */
export interface Built {
  readonly body: WireObject;
  readonly sent: AnyValues;
}

type Members = Record<string, WireValue>;
type Dialect = DeploymentSettings['wire']['dialect'];
type Campaign = Row<'campaign'>;
type Group = Row<'adGroup'>;

/** `POST /api/v1/campaigns`. A campaign is created enabled; another status stays a change for a later update. */
export function campaignCreate(row: Campaign, advertiserId: string, dialect: Dialect): Built {
  const values = { ...row.values, status: 'enabled' };
  const fields = carried('campaign', 'create');
  const members = membersOf('campaign', withEnd(values), fields, budgetNames(dialect));
  const budgets = dialect === 'family' ? withBudgetType(members, values) : members;
  return { body: withoutNulls({ advertiserId: { num: advertiserId }, ...budgets }), sent: pick(values, fields) };
}

/** `PUT /api/v1/campaigns` (extension): the ID and the changed fields. To resume an ended campaign, the status is `extend`. */
export function campaignUpdate(row: Campaign, changed: readonly string[], dialect: Dialect): Built {
  const fields = carried('campaign', 'update').filter((field) => changed.includes(field));
  const { endDate, ...members } = membersOf('campaign', withEnd(row.values), fields, budgetNames(dialect));
  const isTakenUp = changed.includes('status') && row.values.status === 'enabled' && row.base?.status === 'completed';
  const body: Members = { campaignId: idOf(row), ...members };
  if (isTakenUp) body['status'] = 'extend';
  // The end date comes last.
  if (isTakenUp || endDate !== undefined) body['endDate'] = row.values.endDate ?? OPEN_END;
  return { body, sent: pick(row.values, changed) };
}

const withEnd = (values: AnyValues): AnyValues => ({ ...values, endDate: values['endDate'] ?? OPEN_END });

const budgetNames = (dialect: Dialect): MemberNames => (dialect === 'family' ? { totalBudget: 'totalBudget' } : {});

/** Inserts the budget type before the first budget. */
function withBudgetType(members: Members, { totalBudget, dailyBudget }: AnyValues): Members {
  const budgetType = totalBudget === null ? 'daily' : dailyBudget === null ? 'total' : 'both';
  const entries = Object.entries(members);
  const at = entries.findIndex(([name]) => name === 'totalBudget');
  return Object.fromEntries(entries.toSpliced(at, 0, ['budgetType', budgetType]));
}

/** `POST /api/v1/adGroups`. Its name comes before the ID of its campaign. */
export function adGroupCreate(row: Group, campaign: Campaign): Built {
  const values = { ...row.values, status: row.values.status ?? 'enabled' };
  const fields = carried('adGroup', 'create');
  const { name = null, ...members } = membersOf('adGroup', values, fields);
  return { body: { name, campaignId: idOf(campaign), ...members }, sent: pick(values, fields) };
}

/** `PUT /api/v1/adGroups` (extension): the IDs and the changed fields. */
export function adGroupUpdate(row: Group, campaign: Campaign, changed: readonly string[]): Built {
  const members = membersOf('adGroup', row.values, changed);
  return { body: { ...idsOf(campaign, row), ...members }, sent: pick(row.values, changed) };
}

/** `POST /api/v1/review`: submits everything in the group for review. */
export const reviewSubmit = (group: Group, campaign: Campaign): Built => ({ body: idsOf(campaign, group), sent: {} });

/**
 * `POST` and `PUT /api/v1/adItems` use the same complete flat object. The key of an update is the item ID as last read
 * (wire shapes, section 5). A deleted row is an update to `deleted`.
 */
export function adItemBody(row: Row<'adItem'>, campaign: Campaign, group: Group): Built {
  const gone = isDeleted(row);
  const values = {
    ...(gone ? (row.base ?? row.values) : row.values),
    itemId: row.base?.itemId ?? row.values.itemId,
    bid: gone ? (row.base?.bid ?? row.values.bid) : row.values.bid,
    status: gone ? 'deleted' : (row.values.status ?? 'enabled'),
  };
  return wholeBody('adItem', values, idsOf(campaign, group));
}

/**
 * `POST /api/v1/keywords`, in the words of the deployment (wire shapes, section 4). In seed words an element has its
 * one text as a list; `joinKeywordLists` makes the request of a whole batch. New keywords are created enabled there,
 * so another state stays a change for a later update.
 */
export function keywordCreate(row: Row<'keyword'>, campaign: Campaign, group: Group, dialect: Dialect): Built {
  const isSeed = dialect === 'seed';
  const values = { ...row.values, state: isSeed ? 'enabled' : (row.values.state ?? 'enabled') };
  const ids = idsOf(campaign, group);
  const built = wholeBody('keyword', values, ids);
  if (!isSeed) return built;
  const { keywordText: _text, state: _state, ...others } = built.body;
  return { ...built, body: { ...ids, keywords: [values.text ?? ''], ...others } };
}

/** `PUT /api/v1/keywords` (extension): bid and state; text and match type can't change. A deleted keyword is archived. */
export function keywordUpdate(row: Row<'keyword'>, changed: readonly string[]): Built {
  const values = isDeleted(row) ? { ...(row.base ?? row.values), state: 'archived' as const } : row.values;
  const fields = carried('keyword', 'update').filter((field) => changed.includes(field));
  return { body: { keywordId: idOf(row), ...membersOf('keyword', values, fields) }, sent: pick(values, changed) };
}

/** The one request object of a batch in seed words: the elements differ in their text alone. */
function joinKeywordLists(bodies: readonly WireObject[]): WireObject {
  const [first, ...rest] = bodies;
  if (first === undefined) return {};
  const texts = [first, ...rest].flatMap(({ keywords }) => (isList(keywords) ? keywords : []));
  return { ...first, keywords: texts };
}

type Encoding = DeploymentSettings['sba']['clickUrlEncoding'];

/**
 * `POST /api/v2/sba_profile`. The call has no status: the first profile it creates is enabled, its others are not
 * (wire shapes, section 5), and the row gets that status.
 */
export function sbaCreate(
  { values }: Row<'sbaProfile'>,
  campaign: Campaign,
  group: Group,
  isFirst: boolean,
  encoding: Encoding,
): Built {
  const fields = carried('sbaProfile', 'create');
  const body = withoutNulls({
    ...idsOf(campaign, group),
    ...membersOf('sbaProfile', withAddress(values, encoding), fields),
  });
  // A profile is created without a logo; null here keeps the logo a change until its own upload is done.
  return { body, sent: { ...pick(values, fields), logo: null, status: isFirst ? 'enabled' : 'disabled' } };
}

/**
 * `PUT /api/v2/sba_profile`: always all fields, so that an edit of one never resets another. On a scheduled or live
 * campaign the service refuses content and enabling in one request (document, "SBA update"): then the content is sent
 * with the old status and enabling stays a change.
 */
export function sbaUpdate(
  row: Row<'sbaProfile'>,
  campaign: Campaign,
  group: Group,
  keepStatus: boolean,
  encoding: Encoding,
): Built {
  const values = { ...row.values, status: (keepStatus ? row.base?.status : row.values.status) ?? 'enabled' };
  const fields = carried('sbaProfile', 'update');
  const members = membersOf('sbaProfile', withAddress(values, encoding), fields);
  const whole = Object.entries(members).map(([name, value]) => [name, value ?? ''] as const);
  const body = { ...idsOf(campaign, group), sbaProfileId: idOf(row), ...Object.fromEntries(whole) };
  return { body, sent: pick(values, fields) };
}

/** The URL in the deployment's encoding. The row keeps the user's text; both forms are equal in a merge. */
function withAddress(values: AnyValues, encoding: Encoding): AnyValues {
  const { clickUrl } = values;
  if (typeof clickUrl !== 'string') return values;
  return { ...values, clickUrl: encoding === 'document' ? canonicalClickUrl(clickUrl).url : clickUrl.trim() };
}

/** The JSON part of `POST /api/v2/sba_profile_image_upload`; the picture itself is the row's logo. */
export const logoUpload = (row: Row<'sbaProfile'>, campaign: Campaign, group: Group): Built => ({
  body: { ...idsOf(campaign, group), sbaProfileId: idOf(row) },
  sent: { logo: row.values.logo },
});

/**
 * `POST /api/v1/adGroup/media`. Created enabled (document, "States and transitions").
 *
 * @param media the value for the video in the request
 */
export function videoCreate(
  { values }: Row<'videoProfile'>,
  campaign: Campaign,
  group: Group,
  media: WireValue,
  advertiserId: string,
): Built {
  const fields = carried('videoProfile', 'create');
  const members = { ...membersOf('videoProfile', values, fields), mediaId: media };
  const body = { advertiserId: { num: advertiserId }, ...idsOf(campaign, group), ...members };
  return { body, sent: { ...pick(values, fields), status: 'enabled' } };
}

/** `PUT /api/v1/adGroup/media` (extension). */
export function videoUpdate(
  row: Row<'videoProfile'>,
  campaign: Campaign,
  group: Group,
  media: WireValue,
  advertiserId: string,
): Built {
  const values = { ...row.values, status: row.values.status ?? 'enabled' };
  const fields = carried('videoProfile', 'update');
  const ids = { advertiserId: { num: advertiserId }, ...idsOf(campaign, group), adGroupMediaId: idOf(row) };
  const body = { ...ids, ...membersOf('videoProfile', values, fields), mediaId: media };
  return { body, sent: pick(values, fields) };
}

/** `POST` and `PUT /api/v1/multipliers/placement`: the pair of campaign and placement is the key. */
export const placementBody = ({ values }: Row<'placementMultiplier'>, campaign: Campaign): Built =>
  wholeBody('placementMultiplier', values, { campaignId: idOf(campaign) });

/**
 * `POST` and `PUT /api/v1/multipliers/platform`.
 *
 * @param member the deployment's name of the platform in this call
 */
export const platformBody = (
  { values }: Row<'platformMultiplier'>,
  campaign: Campaign,
  member: DeploymentSettings['multiplier']['platformMember'],
): Built => wholeBody('platformMultiplier', values, { campaignId: idOf(campaign) }, { platform: member });

/** All fields of a create, without empty ones. */
function wholeBody(kind: Kind, values: AnyValues, ids: WireObject, names: MemberNames = {}): Built {
  const fields = carried(kind, 'create');
  return { body: withoutNulls({ ...ids, ...membersOf(kind, values, fields, names) }), sent: pick(values, fields) };
}

type Call = 'create' | 'update';

/** The fields of a kind that a call sends, in the order of declaration. */
const carried = (kind: Kind, call: Call): readonly string[] => CARRIED[call].get(kind) ?? [];

const carriedBy = (call: Call): ReadonlyMap<Kind, readonly string[]> => {
  const isCarried = ([, { wire }]: readonly [string, FieldSpec]): boolean =>
    wire?.write !== undefined && (wire.on ?? call) === call;
  return new Map(
    KINDS.map((kind) => [
      kind,
      Object.entries(fieldSpecs(kind))
        .filter(isCarried)
        .map(([field]) => field),
    ]),
  );
};
const CARRIED = { create: carriedBy('create'), update: carriedBy('update') };

/** Members by field, where a call uses another name than the field declares. */
type MemberNames = Readonly<Record<string, string>>;

/** Fields of a row as members of a request. */
function membersOf(kind: Kind, values: AnyValues, fields: readonly string[], names: MemberNames = {}): Members {
  const members: Members = {};
  for (const field of fields) {
    const spec = fieldSpec(kind, field);
    const name = names[field] ?? spec?.wire?.write;
    if (spec !== undefined && name !== undefined) members[name] = onWire(spec, values[field] ?? null);
  }
  return members;
}

/** A cell as a value of a request; a file has none, since its id is not the row's. */
function onWire({ type }: FieldSpec, cell: Cell): WireValue {
  if (type.is === 'ref') return null;
  return typeof cell === 'number' ? { num: formatDecimal(cell, type.is === 'count' ? 0 : 2) } : cell;
}

/** The ids of a campaign and of one of its ad groups. */
const idsOf = (campaign: Campaign, group: Group) => ({ campaignId: idOf(campaign), adGroupId: idOf(group) });

/** The ID of a row inside a body: the service's own, or a reference to the row if it has none. */
const idOf = (row: Row): WireValue => (row.remoteId === null ? { ref: row.kind, id: row.id } : { num: row.remoteId });

/** Removes the keys whose value is null: a create omits empty fields. */
function withoutNulls(body: WireObject): WireObject {
  const filled: Members = {};
  for (const [member, value] of Object.entries(body)) if (value !== null) filled[member] = value;
  return filled;
}

/** The named fields of a row's values. */
export function pick(values: AnyValues, fields: readonly string[]): AnyValues {
  const picked: Record<string, Cell> = {};
  for (const field of fields) picked[field] = values[field] ?? null;
  return picked;
}

export const elementOf = (row: Row<Kind>, built: Built, changed: readonly string[]): PlanElement => ({
  kind: row.kind,
  id: row.id,
  remoteId: row.remoteId,
  body: built.body,
  sent: built.sent,
  changed,
});

/**
 * Bodies as the exact JSON text to be sent. Numbers are written digit for digit as planned, so 1500.00 stays 1500.00
 * and an ID above 2^53 stays exact.
 */
export type ResolveId = (kind: Kind, id: RowId) => RemoteId | null;

export const unresolved: ResolveId = () => null;

/**
 * Renders one element. A reference to a row without remote ID is written as the text `"@kind/id"`.
 *
 * @param quote converts texts to JSON
 */
export const renderBody = (element: PlanElement, resolve: ResolveId, quote: Quote = JSON.stringify): string =>
  renderValue(element.body, resolve, quote);

type Quote = (text: string) => string;

/**
 * The body of a request: an array of its elements; for keywords in seed words one object with all texts; for a logo
 * the object of the form's JSON part.
 */
export function renderBatch(batch: PlanBatch, resolve: ResolveId): string {
  return renderValue(batchBody(batch), resolve, JSON.stringify);
}

function batchBody(batch: PlanBatch): WireValue {
  const bodies: readonly WireObject[] = batch.elements.map((element) => element.body);
  const [first] = bodies;
  if (batch.verb === 'logo' && first !== undefined) return first;
  if (batch.verb === 'create' && first?.['keywords'] !== undefined) return joinKeywordLists(bodies);
  return bodies;
}

/** The rows whose remote IDs a batch needs before it can be sent. */
export function refsOf(batch: PlanBatch): readonly { readonly kind: Kind; readonly id: RowId }[] {
  const found = new Map<string, { readonly kind: Kind; readonly id: RowId }>();
  const visit = (value: WireValue): void => {
    if (value === null || typeof value !== 'object') return;
    if (isList(value)) for (const item of value) visit(item);
    else if (isRef(value)) found.set(`${value.ref}/${value.id}`, { kind: value.ref, id: value.id });
    else if (!isNumber(value)) for (const item of Object.values(value)) visit(item);
  };
  visit(batchBody(batch));
  return [...found.values()];
}

function renderValue(value: WireValue, resolve: ResolveId, quote: Quote): string {
  if (typeof value === 'string') return quote(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (isList(value)) return `[${value.map((item) => renderValue(item, resolve, quote)).join(',')}]`;
  if (isNumber(value)) return value.num;
  if (isRef(value)) return resolve(value.ref, value.id) ?? JSON.stringify(`@${value.ref}/${value.id}`);
  const members = Object.entries(value).map(([key, item]) => `${quote(key)}:${renderValue(item, resolve, quote)}`);
  return `{${members.join(',')}}`;
}

type Structured = Exclude<WireValue, string | boolean | null>;
const isList = (value: WireValue | undefined): value is readonly WireValue[] => Array.isArray(value);
const isNumber = (value: Structured): value is { readonly num: string } =>
  !isList(value) && Object.hasOwn(value, 'num') && Object.keys(value).length === 1;
const isRef = (value: Structured): value is { readonly ref: Kind; readonly id: RowId } =>
  !isList(value) && Object.hasOwn(value, 'ref') && Object.keys(value).length === 2;
