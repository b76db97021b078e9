import { useAppContext } from '../../app/desk.ts';
import { useSourceVersion } from '../../data/use-window-source.ts';
import type { OpenView } from '../../data/window-source.ts';
import { en } from '../../messages/en.ts';

/** How many rows the view has, and an offer to sort again once edits have made its order old. */
export function RowCount({ view }: { readonly view: OpenView | null }) {
  return view === null ? null : <Count view={view} />;
}

function Count({ view }: { readonly view: OpenView }) {
  const { store } = useAppContext();
  useSourceVersion(view.source);
  const ordered = view.source.request.sort.length > 0 || view.source.request.only !== 'all';
  return (
    <>
      <span className="quiet numeric">{en.grid.rows(view.source.length())}</span>
      {view.source.isOutOfOrder() && ordered && (
        <button
          type="button"
          className="chip"
          onClick={() => {
            void view.source.reopen();
            store.getState().announce('');
          }}
        >
          {en.grid.reorder}
        </button>
      )}
    </>
  );
}
