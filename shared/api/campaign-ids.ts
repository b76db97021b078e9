import { z } from 'zod';
import { FIELDS } from '../model/fields.ts';
import { KNOWN_KINDS, REMOTE_ID_SOURCES } from '../model/remote-id-source.ts';
import { operation } from './operation.ts';
import { RowIdSchema, WindowSchema } from './scalars.ts';

/** Most campaigns that are taken in by one call: each costs a handful of requests. */
export const ADD_CAMPAIGNS_MAX = 1000;

const remoteIdText = z.string().regex(/^[1-9]\d{0,18}$/);
const { campaignType, targetingType } = FIELDS.campaign;

/** An id of a campaign or an ad group, and what is known of it beside the number. Times are milliseconds since 1970. */
export const RemoteIdEntry = z.strictObject({
  kind: z.enum(KNOWN_KINDS),
  id: z.string(),
  source: z.enum(REMOTE_ID_SOURCES),
  /** Since when it is known; null for ids from before that was noted. */
  at: z.int().nullable(),
  /** When the service last answered a read for it; null when none has been seen to. */
  confirmedAt: z.int().nullable(),
  /** The row that stands for it; null when it is not in the account any more. */
  rowId: RowIdSchema.nullable(),
  campaignId: RowIdSchema.nullable(),
  name: z.string().nullable(),
  /** Name of its campaign, where that is known. */
  campaign: z.string().nullable(),
});
export type RemoteIdEntry = z.infer<typeof RemoteIdEntry>;

/** A campaign that is on the service, in a person's words where the service cannot be asked. */
export const CampaignToAdd = z.strictObject({
  id: remoteIdText,
  name: z.string().max(255).nullable().default(null),
  campaignType: z.enum(campaignType.type.choices).nullable().default(null),
  targetingType: z.enum(targetingType.type.choices).nullable().default(null),
  adGroups: z.array(remoteIdText).max(100).default([]),
});
export type CampaignToAdd = z.infer<typeof CampaignToAdd>;

/** What became of one id. */
export const AddCampaignOutcome = z.strictObject({
  kind: z.enum(KNOWN_KINDS),
  id: z.string(),
  /** The id of its campaign, or its own. */
  campaign: z.string(),
  outcome: z.enum([
    'added',
    'known',
    /** The service has nothing under this id, or does not show it to this account. */
    'not-found',
    /** The ad group hangs from another campaign. */
    'other-campaign',
    /** The campaign has its one ad group already. */
    'second-group',
    /** A campaign or ad group sent from here is not settled, and this may be it. */
    'unsettled',
    'refused',
    'not-asked',
  ]),
  /** The service's own words, where it had any. */
  detail: z.string(),
});
export type AddCampaignOutcome = z.infer<typeof AddCampaignOutcome>;

export const TakenIn = z.strictObject({
  outcomes: z.array(AddCampaignOutcome),
  /** Campaigns that were read and of which no ad group is known: what hangs from one has no place yet. */
  withoutGroup: z.array(z.string()),
  /** Why the reading ended before its end; null when all of it was read. */
  stoppedBy: z.string().nullable(),
});
export type TakenIn = z.infer<typeof TakenIn>;

export const knownContract = {
  /** The known ids, campaigns first; with `words`, only those with each of them in id, name or campaign. */
  list: operation({
    runs: 'reader',
    input: { ...WindowSchema, words: z.string().max(200).default('') },
    output: z.strictObject({ total: z.int(), ids: z.array(RemoteIdEntry) }),
  }),
  /** Those of these campaign ids that are in the account already; the service is not asked. */
  look: operation({
    runs: 'reader',
    input: { ids: z.array(remoteIdText).max(ADD_CAMPAIGNS_MAX) },
    output: z.strictObject({ here: z.array(z.string()) }),
  }),
  /** Takes campaigns in by their ids and reads what hangs from them. Ids that the service does not have are not kept. */
  add: operation({
    runs: 'main',
    access: 'write',
    input: {
      source: z.enum(['typed', 'pasted', 'sheet', 'report']),
      campaigns: z.array(CampaignToAdd).min(1).max(ADD_CAMPAIGNS_MAX),
    },
    output: TakenIn,
    errors: ['SYNC_RUNNING'],
  }),
};
