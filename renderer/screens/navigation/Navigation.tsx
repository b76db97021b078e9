import { IconChartLine, IconRocket } from '@tabler/icons-react';
import { KINDS } from '../../../shared/model/kinds.ts';
import { useAppContext, useViewOf } from '../../app/desk.ts';
import { wholeList } from '../../data/prepared-view.ts';
import { summary } from '../../data/questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { en } from '../../messages/en.ts';
import { enLaunch } from '../../messages/en-launch.ts';
import { enReports } from '../../messages/en-reports.ts';
import { KIND_NAMES } from '../../messages/fields.ts';
import { countText } from '../../messages/numbers.ts';
import { CampaignList } from './CampaignList.tsx';
import { KIND_ICONS } from './kind-icons.ts';

/** Two ways in: every row of one kind over the whole account, or one campaign with what hangs from it. */
export function Navigation({ workspaceId }: { readonly workspaceId: string }) {
  const { store, preparedView } = useAppContext();
  const { kind, campaignId, place } = useViewOf((s) => ({ kind: s.kind, campaignId: s.campaignId, place: s.place }));
  const rows = useQuery(summary(workspaceId)).data?.rows;
  return (
    <>
      <div>
        <h2 className="section-title">{en.nav.lists}</h2>
        {KINDS.map((each) => {
          const Icon = KIND_ICONS[each];
          return (
            <button
              key={each}
              type="button"
              className="nav-row"
              aria-current={place === 'rows' && campaignId === null && kind === each ? 'true' : undefined}
              onPointerDown={() => preparedView.prepare(workspaceId, wholeList(each, null))}
              onClick={() => store.getState().goTo({ kind: each, campaignId: null })}
            >
              <Icon size={15} stroke={1.5} aria-hidden="true" />
              <span className="nav-name">{KIND_NAMES[each].many}</span>
              <span className="nav-count">{rows === undefined ? '' : countText(rows[each] ?? 0)}</span>
            </button>
          );
        })}
        <button
          type="button"
          className="nav-row"
          aria-current={place === 'launch' ? 'true' : undefined}
          onClick={() => store.getState().openLaunch()}
        >
          <IconRocket size={15} stroke={1.5} aria-hidden="true" />
          <span className="nav-name">{enLaunch.nav}</span>
        </button>
        <button
          type="button"
          className="nav-row"
          aria-current={place === 'reports' ? 'true' : undefined}
          onClick={() => store.getState().openReports()}
        >
          <IconChartLine size={15} stroke={1.5} aria-hidden="true" />
          <span className="nav-name">{enReports.title}</span>
        </button>
      </div>
      <CampaignList workspaceId={workspaceId} />
    </>
  );
}
