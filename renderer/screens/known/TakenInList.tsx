import type { TakenIn } from '../../../shared/contract/known.ts';
import { enCampaignIds } from '../../messages/en-known.ts';
import { ScrollBox } from '../../ui/ScrollBox.tsx';

/** What came of taking campaigns in, id by id. */
export function AddedCampaigns({ taken }: { readonly taken: TakenIn }) {
  const { outcomes, withoutGroup, stoppedBy } = taken;
  const added = outcomes.filter(({ kind, outcome }) => kind === 'campaign' && outcome === 'added').length;
  return (
    <>
      <p role="status" className="known-count">
        {enCampaignIds.added(added)}
      </p>
      {stoppedBy !== null && <p className="note-warning">{enCampaignIds.stopped(stoppedBy)}</p>}
      {withoutGroup.length > 0 && <p className="note-warning">{enCampaignIds.withoutGroup(withoutGroup)}</p>}
      <ScrollBox className="known-scroll" label={enCampaignIds.becomes}>
        <table className="known-table">
          <thead>
            <tr>
              <th scope="col">{enCampaignIds.kind}</th>
              <th scope="col">{enCampaignIds.id}</th>
              <th scope="col">{enCampaignIds.becomes}</th>
            </tr>
          </thead>
          <tbody>
            {outcomes.map(({ kind, id, outcome, detail }) => (
              <tr key={`${kind} ${id}`}>
                <td>{enCampaignIds.kinds[kind]}</td>
                <td>
                  <code>{id}</code>
                </td>
                <td className={outcome === 'added' || outcome === 'known' ? '' : 'known-problem'}>
                  {enCampaignIds.outcomes[outcome]} {detail}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </>
  );
}
