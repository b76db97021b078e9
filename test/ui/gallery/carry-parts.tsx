import { type ReactNode, useEffect } from 'react';
import { CarryBar } from '../../../renderer/screens/carry/CarryBar.tsx';
import { PutDownDialog } from '../../../renderer/screens/carry/PutDownDialog.tsx';
import { DropVeil } from '../../../renderer/screens/frame/DropVeil.tsx';
import { FileOut } from '../../../renderer/screens/frame/FileOut.tsx';
import { asRowId } from '../../../shared/model/scalars.ts';
import { rowsOf, WORKSPACE } from './examples.ts';
import { each, type Part } from './part.ts';
import { staged } from './Stage.tsx';

const MOVES = { moved: true, copied: false } as const;
const carried = (move: boolean) => ({ kind: 'keyword' as const, move, rows: rowsOf('keyword').slice(0, 3) });
const target = { id: asRowId(2), name: 'Kitchen roll' };
const preview = {
  refused: [{ why: 'wrong-parent' as const, rows: 1 }],
  dropped: [{ field: 'reviewStatus', rows: 3 }],
};

/** Tells the window that files are held over it, as a browser does while they are dragged. */
function FilesOver({ children }: { readonly children: ReactNode }) {
  useEffect(() => {
    window.dispatchEvent(Object.assign(new Event('dragover'), { dataTransfer: { types: ['Files'] } }));
  }, []);
  return children;
}

/** Rows and files on their way from one place to another. */
export const CARRY_PARTS: readonly Part[] = [
  {
    name: 'CarryBar',
    isWide: true,
    states: {
      nothing: staged({}, <CarryBar workspaceId={WORKSPACE} view={null} />),
      ...each(MOVES, (how) =>
        staged({ arrange: (s) => s.pickUp(carried(MOVES[how])) }, <CarryBar workspaceId={WORKSPACE} view={null} />),
      ),
    },
  },
  {
    name: 'PutDownDialog',
    isWide: true,
    states: each(MOVES, (how) =>
      staged({}, <PutDownDialog carried={carried(MOVES[how])} target={target} preview={preview} />),
    ),
  },
  {
    name: 'DropVeil',
    isWide: true,
    states: {
      'files are over the window': (
        <div style={{ height: 160 }}>
          {staged(
            {},
            <FilesOver>
              <DropVeil />
            </FilesOver>,
          )}
        </div>
      ),
    },
  },
  {
    name: 'FileOut',
    states: {
      'saved by a click': (
        <FileOut
          file={{ url: '/preview/1', fileName: 'kettle-spot.mp4', contentType: 'video/mp4' }}
          filesOut={undefined}
        />
      ),
    },
  },
];
