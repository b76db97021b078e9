import type { TakenIn } from '../../../shared/contract/known.ts';
import { enKnown } from '../../messages/en-known.ts';
import { ScrollBox } from '../../ui/ScrollBox.tsx';

/** What came of taking campaigns in, id by id. */
export function TakenInList({ taken }: { readonly taken: TakenIn }) {
  const { outcomes, withoutGroup, stoppedBy } = taken;
  const added = outcomes.filter(({ kind, outcome }) => kind === 'campaign' && outcome === 'added').length;
  return (
    <>
      <p role="status" className="known-count">
        {enKnown.added(added)}
      </p>
      {stoppedBy !== null && <p className="note-warning">{enKnown.stopped(stoppedBy)}</p>}
      {withoutGroup.length > 0 && <p className="note-warning">{enKnown.withoutGroup(withoutGroup)}</p>}
      <ScrollBox className="known-scroll" label={enKnown.becomes}>
        <table className="known-table">
          <thead>
            <tr>
              <th scope="col">{enKnown.kind}</th>
              <th scope="col">{enKnown.id}</th>
              <th scope="col">{enKnown.becomes}</th>
            </tr>
          </thead>
          <tbody>
            {outcomes.map(({ kind, id, outcome, detail }) => (
              <tr key={`${kind} ${id}`}>
                <td>{enKnown.kinds[kind]}</td>
                <td>
                  <code>{id}</code>
                </td>
                <td className={outcome === 'added' || outcome === 'known' ? '' : 'known-problem'}>
                  {enKnown.outcomes[outcome]} {detail}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </>
  );
}
