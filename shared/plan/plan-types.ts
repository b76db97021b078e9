import type { DeploymentSettings } from '../deployment/deployment-settings.ts';
import type { CampaignTree } from '../model/campaign-tree.ts';
import type { AnyValues } from '../model/fields.ts';
import type { Kind } from '../model/kinds.ts';
import type { AnyRow } from '../model/row.ts';
import type { PlainDate, RemoteId, RowId } from '../model/scalars.ts';

/** The calls of a plan. `upload` is the request pair, the bytes and the completion of one video. */
export type Verb = 'create' | 'update' | 'logo' | 'upload' | 'submit' | 'cancel';

/**
 * A value inside a request body. Numbers are decimal text so that 1500.00 stays 1500.00 and IDs stay exact; a `ref` is
 * replaced by the remote ID of a row that an earlier batch creates.
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
  /** The values that this element sends: they become the base once the service confirms. */
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

/** A file that must be uploaded before the batch that refers to it. */
export interface PlanUpload {
  readonly mediaId: RowId;
  readonly captionId: RowId | null;
  readonly file: string;
  readonly bytes: number;
  readonly mediaName: string;
}

/** A changed row that the plan skips, and why. */
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
    /** It is not signed off, in a team that requires it. */
    | 'needs-sign-off'
    /** It was changed after its sign-off. */
    | 'changed-since-sign-off'
    /** The sync is of some rows only, and this is none of them. */
    | 'not-chosen';
}

/**
 * A row that was not selected but is sent too: the new parent of a selected row, the profile of a selected file, or
 * the video of a profile.
 */
export interface Added {
  readonly kind: Kind;
  readonly id: RowId;
  readonly why: 'parent' | 'carries' | 'file';
}

/** The requests of a sync. The same input gives the same plan, byte for byte. */
export interface Plan {
  readonly batches: readonly PlanBatch[];
  readonly uploads: readonly PlanUpload[];
  readonly leftOut: readonly LeftOut[];
  /** Rows sent in addition to the selected ones; empty without a selection. */
  readonly added: readonly Added[];
  /** Changed elements counted against the hourly limit of the service. */
  readonly elements: number;
}

/**
 * Calls beyond the documented ones that a connection offers. Missing ones become instructions to the user, never
 * requests that fail (wire shapes, section 3).
 */
export type Capabilities = Readonly<Record<CapabilityName, boolean>>;

/** The calls beyond the documented ones that services of this family may offer, by purpose. */
export const CAPABILITY_REQUESTS = {
  campaignRead: 'GET /api/v1/campaigns',
  campaignUpdate: 'PUT /api/v1/campaigns',
  adGroupRead: 'GET /api/v1/adGroups',
  adGroupUpdate: 'PUT /api/v1/adGroups',
  keywordRead: 'GET /api/v1/keywords',
  keywordUpdate: 'PUT /api/v1/keywords',
  videoProfileUpdate: 'PUT /api/v1/adGroup/media',
} as const;
export type CapabilityName = keyof typeof CAPABILITY_REQUESTS;
export const CAPABILITY_NAMES = Object.keys(CAPABILITY_REQUESTS) as CapabilityName[];

const allCapabilities = (isThere: boolean): Capabilities =>
  Object.fromEntries(CAPABILITY_NAMES.map((name) => [name, isThere])) as Capabilities;
export const DOCUMENTED_ONLY: Capabilities = allCapabilities(false);
export const WITH_EXTENSIONS: Capabilities = allCapabilities(true);

/** The rows a sync is limited to. Rows that are not changed do no harm. */
export interface ChosenRows {
  readonly rows: readonly { readonly kind: Kind; readonly ids: readonly RowId[] }[];
  /** True when a campaign or an ad group includes everything below it; false for the row alone. */
  readonly below: boolean;
  /** Check boxes that were set or cleared; the narrowest applies. See `ChosenRows` of the contract. */
  readonly picks?: readonly Pick[] | undefined;
}

/** One check box of a plan; null members do not narrow it. */
export interface Pick {
  readonly campaignId: RowId | null;
  readonly kind: Kind | null;
  readonly id: RowId | null;
  readonly on: boolean;
}

/** Complete input of the plan, so equal input gives an equal plan. */
export interface PlanInput {
  /** Campaigns with something changed, each with the media its profiles use. */
  readonly trees: readonly CampaignTree[];
  readonly profile: DeploymentSettings;
  readonly capabilities: Capabilities;
  readonly advertiserId: string;
  /**
   * Rows that must wait and why, under `rowKey(kind, id)`: unconfirmed or conflicting rows. A group with an
   * unconfirmed create accepts no further creates, under `createBlockKey(kind, parentId)`.
   */
  readonly blocked: { readonly get: (key: string) => LeftOut['reason'] | undefined };
  /** Whether to submit campaigns that are ready for review. */
  readonly submit: boolean;
  /** Campaigns to plan; null for all. */
  readonly only: ReadonlySet<RowId> | null;
  /** Rows to plan, with the parents they need; null for all. */
  readonly chosen: ChosenRows | null;
  readonly hasErrors: (kind: Kind, id: RowId) => boolean;
  /** Whether a colleague has signed off the changes of a row, or why not; null if no sign-off is required. */
  readonly signOffOf?: SignOffOf | null;
  readonly today: PlainDate;
}

export type SignOffOf = (
  row: AnyRow,
  media: CampaignTree['media'],
) => 'signed-off' | Extract<LeftOut['reason'], 'needs-sign-off' | 'changed-since-sign-off'>;

export const createBlockKey = (kind: Kind, parentId: RowId): string => `${kind}@${parentId}`;
