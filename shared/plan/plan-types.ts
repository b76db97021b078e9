import type { DeploymentSettings } from '../deployment/deployment-settings.ts';
import type { CampaignTree } from '../model/campaign-tree.ts';
import type { AnyValues } from '../model/fields.ts';
import type { Kind } from '../model/kinds.ts';
import type { AnyRow } from '../model/row.ts';
import type { PlainDate, RemoteId, RowId } from '../model/scalars.ts';

/** The calls a plan may contain. `upload` stands for the request pair, the bytes and the completion of one video. */
export type Verb = 'create' | 'update' | 'logo' | 'upload' | 'submit' | 'cancel';

/**
 * A value inside a request body. Numbers travel as decimal text so that 1500.00 stays 1500.00 and ids stay
 * exact; a `ref` stands for the remote id of a row that an earlier batch creates.
 */
export type WireValue =
  | string
  | boolean
  | null
  | { readonly num: string }
  | { readonly ref: Kind; readonly id: RowId }
  | readonly WireValue[]
  | WireObject;
export interface WireObject {
  readonly [key: string]: WireValue;
}

/** One element of a batch: one row, one verb. */
export interface PlanElement {
  readonly kind: Kind;
  readonly id: RowId;
  /** Null for a create. */
  readonly remoteId: RemoteId | null;
  readonly body: WireObject;
  /** The values this element carries to the service: they become the base once the service confirms. */
  readonly sent: AnyValues;
  /** Names of the fields that differ from the base; empty for a create, which sends all. */
  readonly changed: readonly string[];
}

/** One request of the plan: one campaign, one kind, one verb, at most `batch.max` elements. */
export interface PlanBatch {
  /** Position in the plan, from 0; a batch only refers to rows of earlier batches. */
  readonly index: number;
  readonly kind: Kind | 'review';
  readonly verb: Verb;
  readonly method: 'POST' | 'PUT';
  /** Path below base_url, for example `/api/v1/campaigns`. */
  readonly path: string;
  readonly campaignId: RowId | null;
  readonly adGroupId: RowId | null;
  readonly elements: readonly PlanElement[];
}

/** A file that has to travel before the batch that refers to it. */
export interface PlanUpload {
  readonly mediaId: RowId;
  readonly captionId: RowId | null;
  readonly file: string;
  readonly bytes: number;
  readonly mediaName: string;
}

/** A changed row that the plan leaves out, and why. */
export interface LeftOut {
  readonly kind: Kind;
  readonly id: RowId;
  readonly reason:
    | 'held'
    | 'has-errors'
    | 'parent-left-out'
    | 'in-doubt'
    | 'conflict'
    | 'not-offered'
    | 'review-open'
    | 'waits-for-media'
    | 'nothing-to-send'
    /** Nobody has signed it off, in a team whose rule is that a colleague does. */
    | 'needs-sign-off'
    /** Somebody has, and it was changed since. */
    | 'changed-since-sign-off'
    /** The sync is of some rows only, and this is none of them. */
    | 'not-chosen';
}

/**
 * A row that was not chosen and goes along all the same: the new parent of a chosen row, the profile that carries a
 * chosen file, or the video that a profile asks for.
 */
export interface Added {
  readonly kind: Kind;
  readonly id: RowId;
  readonly why: 'parent' | 'carries' | 'file';
}

/** What a sync would do. The same input gives the same plan, byte for byte. */
export interface Plan {
  readonly batches: readonly PlanBatch[];
  readonly uploads: readonly PlanUpload[];
  readonly leftOut: readonly LeftOut[];
  /** Rows that go along with the chosen ones; empty when everything was asked for. */
  readonly added: readonly Added[];
  /** Changed elements counted against the hourly limit of the service. */
  readonly elements: number;
}

/**
 * Which calls beyond the documented ones a connection offers. Absent ones become instructions to the user,
 * never requests that fail (wire shapes, section 3).
 */
export type Capabilities = Readonly<Record<CapabilityName, boolean>>;

/** The calls beyond the documented ones that services of this family may offer, by what they allow. */
export const CAPABILITY_NAMES = [
  'campaignRead',
  'campaignUpdate',
  'adGroupRead',
  'adGroupUpdate',
  'keywordRead',
  'keywordUpdate',
  'videoProfileUpdate',
] as const;
export type CapabilityName = (typeof CAPABILITY_NAMES)[number];

const allCapabilities = (isThere: boolean): Capabilities =>
  Object.fromEntries(CAPABILITY_NAMES.map((name) => [name, isThere])) as Capabilities;
export const DOCUMENTED_ONLY: Capabilities = allCapabilities(false);
export const WITH_EXTENSIONS: Capabilities = allCapabilities(true);

/** The rows a sync is limited to. Rows that are not changed do no harm. */
export interface ChosenRows {
  readonly rows: readonly { readonly kind: Kind; readonly ids: readonly RowId[] }[];
  /** True when a campaign or an ad group stands for everything below it; false when it means itself alone. */
  readonly below: boolean;
  /** Check boxes that were set or cleared; the narrowest counts. See `ChosenRows` of the contract. */
  readonly picks?: readonly Pick[] | undefined;
}

/** One check box of a plan; what is null is not narrowed. */
export interface Pick {
  readonly campaignId: RowId | null;
  readonly kind: Kind | null;
  readonly id: RowId | null;
  readonly on: boolean;
}

/** Everything the plan depends on. Nothing else is read, so equal input gives an equal plan. */
export interface PlanInput {
  /** Campaigns with something changed, each with the media its profiles use. */
  readonly trees: readonly CampaignTree[];
  readonly profile: DeploymentSettings;
  readonly capabilities: Capabilities;
  readonly advertiserId: string;
  /**
   * Rows that must wait and why, under `rowKey(kind, id)`: rows in doubt, in conflict. A group in which a
   * create is in doubt takes no further creates, under `createBlockKey(kind, parentId)`.
   */
  readonly blocked: ReadonlyMap<string, LeftOut['reason']>;
  /** Whether to ask for the review of what is ready for it. */
  readonly submit: boolean;
  /** Campaigns to plan; null for all. */
  readonly only: ReadonlySet<RowId> | null;
  /** Rows to plan, with the parents they need; null for all. */
  readonly chosen: ChosenRows | null;
  readonly hasErrors: (kind: Kind, id: RowId) => boolean;
  /** Whether a colleague has signed off what would be sent of a row, or why not; null where nobody has to. */
  readonly signOffOf?: SignOffOf | null;
  readonly today: PlainDate;
}

export type SignOffOf = (
  row: AnyRow,
  media: CampaignTree['media'],
) => 'signed-off' | Extract<LeftOut['reason'], 'needs-sign-off' | 'changed-since-sign-off'>;

export const createBlockKey = (kind: Kind, parentId: RowId): string => `${kind}@${parentId}`;
