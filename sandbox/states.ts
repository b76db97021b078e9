/**
 * All state machines of the service as tables ("States and transitions", and cases that section does not describe). The
 * store refuses any other change of state, whoever makes it: the API, the clock, a reviewer or a person in the
 * retailer's console.
 *
 * A campaign; sponsoredProducts campaigns need no review and go from `enabled` to `scheduled` at once:
 *
 *   (new) -> enabled --settle--> proposal --approve--> enabled --schedule--> scheduled --start--> live
 *                                   ^                                          |                  |  ^
 *                                   +----------------------------reject-profile+             pause|  |start
 *                                                                                                 v  |
 *   completed <--end-- live --reject-profile--> paused --enable--> enabled --reschedule--> rescheduled
 *       |                                          ^---------------------reject-profile---------+  ^
 *       +---------------------------------------extend---------------------------------------------+
 *
 *   ad group, profile   enabled <-> disabled
 *   ad item             enabled <-> disabled, either -> deleted (final)
 *   keyword             enabled <-> paused,   either -> archived (final)
 *   approval            pending -> approved | rejected; back to pending by re-enabling, new content or resubmission;
 *                       ad operations may revise a decision
 *   review              pending -> in-progress -> approved | rejected; from either of the first two -> cancelled
 *   media               pending -> processing -> available | failed
 *   report file         pending -> processing -> done -> expired
 *   account             legacy item ids (0) -> US item ids (1)
 */
type Step<S extends string = string> = readonly [from: S, to: S];

export interface Machine<S extends string = string, M extends string = string> {
  readonly table: string;
  readonly column: string;
  /** The initial states of a new row; rows of a scenario may start in any state. */
  readonly begins: readonly S[];
  /** The transitions of each move; a move may start from several states. */
  readonly moves: Readonly<Record<M, readonly Step<S>[]>>;
}

export type CampaignStatus = 'enabled' | 'proposal' | 'scheduled' | 'live' | 'paused' | 'completed' | 'rescheduled';
export type CampaignMove =
  | 'settle'
  | 'schedule'
  | 'reschedule'
  | 'approve'
  | 'start'
  | 'pause'
  | 'enable'
  | 'end'
  | 'extend'
  | 'reject-profile';

const campaign: Machine<CampaignStatus, CampaignMove> = {
  table: 'campaign',
  column: 'status',
  begins: ['enabled'],
  moves: {
    settle: [['enabled', 'proposal']],
    schedule: [['enabled', 'scheduled']],
    reschedule: [['enabled', 'rescheduled']],
    approve: [['proposal', 'enabled']],
    start: [
      ['scheduled', 'live'],
      ['rescheduled', 'live'],
    ],
    pause: [['live', 'paused']],
    enable: [['paused', 'enabled']],
    end: [['live', 'completed']],
    extend: [['completed', 'rescheduled']],
    'reject-profile': [
      ['live', 'paused'],
      ['scheduled', 'proposal'],
      ['rescheduled', 'paused'],
    ],
  },
};

const eitherWay = ['enabled', 'disabled'] as const;
const switchMoves: Machine['moves'] = { disable: [['enabled', 'disabled']], enable: [['disabled', 'enabled']] };

const decisions: Machine['moves'] = { approve: [['pending', 'approved']], reject: [['pending', 'rejected']] };
/** Ad operations revise a decision: in a later review, or in the console. */
const revisions: Machine['moves'] = {
  revise: [
    ['approved', 'rejected'],
    ['rejected', 'approved'],
  ],
};
const reopened: readonly Step[] = [
  ['approved', 'pending'],
  ['rejected', 'pending'],
];
const productReview: Machine['moves'] = {
  ...decisions,
  ...revisions,
  're-enable': reopened,
  resubmit: [['rejected', 'pending']],
};

export const machines = {
  campaign,
  adGroup: { table: 'ad_group', column: 'status', begins: eitherWay, moves: switchMoves },
  adItem: {
    table: 'ad_item',
    column: 'status',
    begins: eitherWay,
    moves: {
      ...switchMoves,
      delete: [
        ['enabled', 'deleted'],
        ['disabled', 'deleted'],
      ],
    },
  },
  adItemReview: { table: 'ad_item', column: 'review_status', begins: ['pending'], moves: productReview },
  keyword: {
    table: 'keyword',
    column: 'state',
    begins: ['enabled', 'paused'],
    moves: {
      pause: [['enabled', 'paused']],
      enable: [['paused', 'enabled']],
      archive: [
        ['enabled', 'archived'],
        ['paused', 'archived'],
      ],
    },
  },
  keywordReview: { table: 'keyword', column: 'status', begins: ['pending'], moves: productReview },
  sbaProfile: { table: 'sba_profile', column: 'status', begins: eitherWay, moves: switchMoves },
  /** `complete` is both results; the reason distinguishes a rejection. */
  sbaProfileReview: {
    table: 'sba_profile',
    column: 'review_status',
    begins: ['pending'],
    moves: {
      complete: [['pending', 'complete']],
      change: [['complete', 'pending']],
      resubmit: [['complete', 'pending']],
    },
  },
  videoProfile: { table: 'ad_group_media', column: 'status', begins: eitherWay, moves: switchMoves },
  videoProfileReview: {
    table: 'ad_group_media',
    column: 'review_status',
    begins: ['pending'],
    moves: { ...decisions, ...revisions, change: reopened, resubmit: [['rejected', 'pending']] },
  },
  review: {
    table: 'review',
    column: 'status',
    begins: ['pending'],
    moves: {
      begin: [['pending', 'in-progress']],
      approve: [
        ['pending', 'approved'],
        ['in-progress', 'approved'],
      ],
      reject: [
        ['pending', 'rejected'],
        ['in-progress', 'rejected'],
      ],
      cancel: [
        ['pending', 'cancelled'],
        ['in-progress', 'cancelled'],
      ],
    },
  },
  reviewComponent: { table: 'review_component', column: 'status', begins: ['pending'], moves: decisions },
  media: {
    table: 'media',
    column: 'status',
    begins: ['pending'],
    moves: {
      process: [['pending', 'processing']],
      finish: [
        ['processing', 'available'],
        ['processing', 'failed'],
      ],
      /** The retailer blocks a film, or unblocks it; only in the console. */
      revise: [
        ['available', 'failed'],
        ['failed', 'available'],
      ],
    },
  },
  reportFile: {
    table: 'snapshot',
    column: 'job_status',
    /** A job to poll with the extensions on; without them the file exists at once. */
    begins: ['pending', 'done'],
    moves: {
      process: [['pending', 'processing']],
      finish: [['processing', 'done']],
      expire: [['done', 'expired']],
    },
  },
  account: { table: 'advertiser', column: 'migrated', begins: ['0', '1'], moves: { migrate: [['0', '1']] } },
} satisfies Readonly<Record<string, Machine>>;

/** The state after a campaign's move, or null if its state does not allow it. */
export function stateAfter(from: CampaignStatus, move: CampaignMove): CampaignStatus | null {
  return campaign.moves[move].find(([state]) => state === from)?.[1] ?? null;
}

/** Whether any move of this table leads from one value to the other. */
export function isMove(table: string, column: string, from: string, to: string): boolean {
  const all: readonly Machine[] = Object.values(machines);
  return all
    .filter((machine) => machine.table === table && machine.column === column)
    .some((machine) =>
      Object.values(machine.moves)
        .flat()
        .some((step) => step[0] === from && step[1] === to),
    );
}

/**
 * The tables as temporary triggers of a writing connection. Only the sandbox writes to the stored data, so it needs no
 * permanent ones.
 */
export function stateTriggers(): string {
  const all: readonly Machine[] = Object.values(machines);
  return all
    .map(({ table, column, moves }) => {
      const allowed = Object.values(moves)
        .flat()
        .map(([from, to]) => `'${from}>${to}'`);
      return `CREATE TEMP TRIGGER "${table}.${column}" BEFORE UPDATE OF ${column} ON main.${table}
        WHEN OLD.${column} <> NEW.${column} AND OLD.${column} || '>' || NEW.${column} NOT IN (${allowed.join(', ')})
        BEGIN SELECT RAISE(ABORT, 'no move of ${table}.${column} leads there'); END;`;
    })
    .join('\n');
}
