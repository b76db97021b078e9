import { useDesk, useView } from '../../app/desk.ts';
import { enWorkSigns as texts } from '../../messages/en-work-signs.ts';

/** What goes on in the account by itself and takes a while, until it is over. */
export function WorkSign({ workspaceId }: { readonly workspaceId: string }) {
  const { actions } = useDesk();
  const works = useView((s) => s.works);
  const here = Object.values(works).filter((work) => work.workspaceId === workspaceId);
  const [first] = here;
  if (first === undefined) return null;
  return (
    <span className="status-item" role="status">
      <progress className="work-sign" value={first.share ?? undefined} aria-label={texts[first.what]} />{' '}
      {texts[first.what]}
      {first.canStop && (
        <button type="button" className="chip" onClick={() => void actions.stopWork(first.workId)}>
          {texts.stop}
        </button>
      )}
      {here.length > 1 && <span className="badge">+{here.length - 1}</span>}
    </span>
  );
}
