import { campaignParts } from '../../../shared/model/campaign-tree.ts';
import { useAppContext, useView } from '../../app/desk.ts';
import { campaignCounts } from '../../data/row-questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { KIND_NAMES } from '../../messages/fields.ts';
import { countText } from '../../messages/numbers.ts';
import { KIND_ICONS } from './kind-icons.ts';

interface CampaignPartsProps {
  readonly workspaceId: string;
  readonly campaignId: number;
  readonly campaignType: string;
}

/** The kinds below the open campaign, with how many rows each has. */
export function CampaignParts({ workspaceId, campaignId, campaignType }: CampaignPartsProps) {
  const { store } = useAppContext();
  const kind = useView((s) => (s.place === 'rows' ? s.kind : null));
  const parts = campaignParts(campaignType);
  const counts = useQuery(campaignCounts(workspaceId, campaignId, parts)).data;
  return (
    <ul className="nav-list">
      {parts.map((part) => {
        const Icon = KIND_ICONS[part];
        return (
          <li key={part}>
            <button
              type="button"
              className="nav-row nav-child"
              aria-current={kind === part ? 'true' : undefined}
              onClick={() => store.getState().goTo({ kind: part, campaignId })}
            >
              <Icon size={14} stroke={1.5} aria-hidden="true" />
              <span className="nav-name">{KIND_NAMES[part].many}</span>
              <span className="nav-count">{counts?.[part] === undefined ? '' : countText(counts[part] ?? 0)}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
