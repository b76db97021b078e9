import type { Change } from '../../../shared/contract/workspace.ts';
import { useDesk } from '../../app/desk.ts';
import { type ChangesPage, changes } from '../../data/questions.ts';
import { useMedia } from '../../data/use-media.ts';
import { useQuery } from '../../data/use-query.ts';
import { type MediaNames, valueText } from '../../grid/columns.ts';
import { en } from '../../messages/en.ts';
import { fieldName, KIND_NAMES } from '../../messages/fields.ts';
import { Empty } from '../../ui/Empty.tsx';

const PAGE = 400;

/** What would be sent, as old and new values by campaign; everything here can be taken back or held. */
export function ChangesTab({ workspaceId }: { readonly workspaceId: string }) {
  const { actions } = useDesk();
  const page = useQuery(changes(workspaceId, PAGE)).data;
  const { names } = useMedia(workspaceId);
  if (page === undefined) return <div className="empty">{en.grid.loading}</div>;
  if (page.total === 0) return <Empty title={en.drawer.noChanges} text={en.drawer.noChangesText} />;
  return (
    <div className="drawer-body">
      <div className="drawer-bar">
        <button type="button" className="chip" onClick={() => void actions.revert(rowsOf(page), null)}>
          {en.drawer.revertAll}
        </button>
      </div>
      {byCampaign(page).map(([campaign, found]) => (
        <section key={campaign}>
          <h2 className="group-title">
            {campaign} <span className="badge">{found.length}</span>
          </h2>
          <table className="diff">
            <colgroup>
              <col className="diff-what" />
              <col className="diff-field" />
              <col />
              <col />
              <col className="diff-last" />
            </colgroup>
            <thead className="spoken-only">
              <tr>
                <th scope="col">{en.diff.what}</th>
                <th scope="col">{en.diff.field}</th>
                <th scope="col">{en.drawer.was}</th>
                <th scope="col">{en.drawer.is}</th>
                <th scope="col">{en.diff.actions}</th>
              </tr>
            </thead>
            <tbody>
              {found.map((change) => (
                <ChangeRow key={`${change.kind} ${change.id} ${change.field}`} change={change} media={names} />
              ))}
            </tbody>
          </table>
        </section>
      ))}
      {page.total > page.changes.length && (
        <p className="quiet drawer-more">{en.drawer.more(page.total - page.changes.length)}</p>
      )}
    </div>
  );
}

function ChangeRow({ change, media }: { readonly change: Change; readonly media: MediaNames }) {
  const { actions, store } = useDesk();
  const { kind, id, field } = change;
  const text = (value: Change['before']): string => (field === null ? '' : valueText(kind, field, value, media));
  const go = (): void => store.getState().reveal(kind, change.campaignId, id, field);
  return (
    <tr className={change.held ? 'diff-held' : ''}>
      <td>
        <button type="button" className="line-main" onClick={go}>
          <span className="quiet">{KIND_NAMES[kind].one}</span> {change.label}
        </button>
      </td>
      {change.what === 'field' ? (
        <>
          <td className="quiet">{fieldName(field ?? '')}</td>
          <td>
            <del>{text(change.before) || en.sync.emptyValue}</del>
          </td>
          <td>
            <ins>{text(change.after) || en.sync.emptyValue}</ins>
          </td>
        </>
      ) : (
        <td colSpan={3}>
          <span className={change.what === 'new' ? 'badge badge-good' : 'badge badge-error'}>
            <span aria-hidden="true">{change.what === 'new' ? '+' : '−'}</span>
            {change.what === 'new' ? en.drawer.new : en.drawer.deleted}
          </span>
        </td>
      )}
      <td>
        <div className="diff-actions">
          {change.held && <span className="badge">{en.drawer.held}</span>}
          <button type="button" className="chip" onClick={() => void actions.hold([{ kind, id }], !change.held)}>
            {change.held ? en.drawer.release : en.drawer.hold}
          </button>
          <button type="button" className="chip" onClick={() => void actions.revert([{ kind, id }], field)}>
            {en.drawer.revert}
          </button>
        </div>
      </td>
    </tr>
  );
}

function byCampaign(page: ChangesPage): readonly (readonly [string, readonly Change[]])[] {
  const groups = new Map<string, Change[]>();
  for (const change of page.changes) {
    const name = change.campaignName || KIND_NAMES[change.kind].many;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [change]);
    else group.push(change);
  }
  return [...groups];
}

/** Every changed row once. */
function rowsOf(page: ChangesPage): readonly { readonly kind: Change['kind']; readonly id: number }[] {
  return [...new Map(page.changes.map(({ kind, id }) => [`${kind} ${id}`, { kind, id }])).values()];
}
