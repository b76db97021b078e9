/**
 * What a workspace must hold after the first n of an endless list of actions. The list follows from the seed alone, so
 * the process that is killed and the one that judges it agree on every action without talking.
 */
export type StoreAction =
  | { readonly do: 'edit'; readonly campaign: number; readonly keyword: number; readonly bid: number }
  | { readonly do: 'bulk'; readonly campaign: number; readonly bid: number }
  | { readonly do: 'import'; readonly name: string; readonly bid: number }
  | { readonly do: 'undo' }
  | { readonly do: 'backup'; readonly name: string };

export const KEYWORDS_A_CAMPAIGN = 40;
const CAMPAIGNS_MAX = 40;

interface Campaign {
  readonly name: string;
  readonly bids: number[];
}

export interface StoreModel {
  readonly campaigns: readonly Campaign[];
  /** The action at this place of the list, given what the actions before it have left. */
  action(n: number): StoreAction;
  play(action: StoreAction): void;
  copy(): StoreModel;
}

type Step = { readonly at: number; readonly bids: readonly number[] } | { readonly made: true };

export function storeModel(seed: number, campaigns: Campaign[] = [], steps: Step[] = []): StoreModel {
  return {
    campaigns,
    action: (n) => {
      const [dice, where, which] = [chance(seed, n, 1), chance(seed, n, 2), chance(seed, n, 3)];
      const bid = 1000 + n;
      if (campaigns.length === 0 || (dice < 0.12 && campaigns.length < CAMPAIGNS_MAX)) {
        return { do: 'import', name: `Campaign ${n}`, bid };
      }
      const campaign = Math.floor(where * campaigns.length);
      if (dice < 0.6) return { do: 'edit', campaign, keyword: Math.floor(which * KEYWORDS_A_CAMPAIGN), bid };
      if (dice < 0.8) return { do: 'bulk', campaign, bid };
      if (dice < 0.93 && steps.length > 0) return { do: 'undo' };
      return { do: 'backup', name: `backup-${n % 5}` };
    },
    play: (action) => {
      switch (action.do) {
        case 'import':
          campaigns.push({ name: action.name, bids: Array.from({ length: KEYWORDS_A_CAMPAIGN }, () => action.bid) });
          steps.push({ made: true });
          break;
        case 'edit':
        case 'bulk': {
          const bids = campaigns[action.campaign]?.bids;
          if (bids === undefined) throw new Error(`there is no campaign ${action.campaign}`);
          steps.push({ at: action.campaign, bids: [...bids] });
          if (action.do === 'bulk') bids.fill(action.bid);
          else bids[action.keyword] = action.bid;
          break;
        }
        case 'undo': {
          const step = steps.pop();
          if (step === undefined) break;
          if ('made' in step) campaigns.pop();
          else campaigns[step.at]?.bids.splice(0, KEYWORDS_A_CAMPAIGN, ...step.bids);
          break;
        }
        case 'backup':
          break;
      }
    },
    copy: () =>
      storeModel(
        seed,
        campaigns.map(({ name, bids }) => ({ name, bids: [...bids] })),
        [...steps],
      ),
  };
}

/** A number from 0 up to 1 that depends on all three and looks like none of them. */
function chance(seed: number, n: number, salt: number): number {
  let x = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(n + 1, 0xc2b2ae35) ^ Math.imul(salt, 0x27d4eb2f);
  x = Math.imul(x ^ (x >>> 15), 0x2c1b3c6d);
  x = Math.imul(x ^ (x >>> 12), 0x297a2d39);
  return ((x ^ (x >>> 15)) >>> 0) / 4_294_967_296;
}
