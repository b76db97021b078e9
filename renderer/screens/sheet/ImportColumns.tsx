import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import type { ColumnFigures, ImportPreview } from '../../../shared/contract/exchange.ts';
import type { ImportColumn } from '../../../shared/sheet/column-choice.ts';
import { enImport as texts } from '../../messages/en-import.ts';

interface ImportColumnsProps {
  readonly preview: ImportPreview;
  readonly out: ReadonlySet<ImportColumn>;
  readonly onOut: (out: ReadonlySet<ImportColumn>) => void;
}

/**
 * The columns of a sheet that change something, each to be left out; what new rows cannot do without says so. Folded
 * away at first: most sheets come in with all of theirs.
 */
export function ImportColumns({ preview: { columns }, out, onOut }: ImportColumnsProps) {
  const [isOpen, setOpen] = useState(() => columns.some(({ problems, isLeftOut }) => problems > 0 || isLeftOut));
  if (columns.length === 0) return null;
  const free = columns.filter(canStayOut).map(({ column }) => column);
  const outside = free.filter((column) => out.has(column)).length;
  const toggle = (column: ImportColumn): void => {
    const next = new Set(out);
    if (!next.delete(column)) next.add(column);
    onOut(next);
  };
  return (
    <section aria-label={texts.columns}>
      <details className="left-out" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <strong>{texts.columns}</strong> <span className="badge">{columns.length}</span>
        </summary>
        <p className="quiet">{texts.columnsHint}</p>
        <ul className="lines import-columns">
          {free.length > 1 && (
            <li className="line">
              <Checkbox
                size="xs"
                checked={outside === 0}
                indeterminate={outside > 0 && outside < free.length}
                label={texts.allColumns}
                onChange={() => onOut(new Set(outside === 0 ? free : []))}
              />
            </li>
          )}
          {columns.map((figures) => (
            <Column
              key={figures.column}
              figures={figures}
              isOut={out.has(figures.column)}
              onToggle={() => toggle(figures.column)}
            />
          ))}
        </ul>
      </details>
    </section>
  );
}

const canStayOut = ({ changes, problems, isLeftOut }: ColumnFigures): boolean => changes + problems > 0 || isLeftOut;

interface ColumnProps {
  readonly figures: ColumnFigures;
  readonly isOut: boolean;
  readonly onToggle: () => void;
}

function Column({ figures, isOut, onToggle }: ColumnProps) {
  const { column, changes, needed, problems } = figures;
  const isFree = canStayOut(figures);
  const keptBy = needed === 0 ? '' : isFree ? texts.columnKept(needed) : texts.columnNeeded;
  return (
    <li className="line" title={needed === 0 || isFree ? undefined : texts.columnInstead(needed)}>
      <Checkbox
        size="xs"
        checked={!isOut}
        disabled={!isFree}
        label={column}
        aria-label={texts.tickColumn(column)}
        onChange={onToggle}
      />
      <span className="quiet">
        {[texts.columnFigures(changes, problems), keptBy].filter((text) => text !== '').join(' · ')}
      </span>
    </li>
  );
}
