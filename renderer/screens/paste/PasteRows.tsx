import type { PastePreview } from '../../../shared/contract/paste.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { valueText } from '../../grid/columns.ts';
import { enPaste } from '../../messages/en-paste.ts';
import { fieldName } from '../../messages/fields.ts';
import { ScrollBox } from '../../ui/ScrollBox.tsx';

interface PasteRowsProps {
  readonly kind: Kind;
  readonly preview: PastePreview;
  /** The table as it was pasted, for rows that could not be read. */
  readonly table: readonly (readonly string[])[];
  readonly waiting: boolean;
  readonly onColumn: (at: number, column: string | null) => void;
}

const SIGNS = { add: '+', update: 'Δ', unchanged: '=', error: '!' } as const;
const TONES = { add: 'good', update: 'changed', unchanged: 'quiet', error: 'error' } as const;
const NO_MEDIA: ReadonlyMap<number, string> = new Map();

/** What each column was taken for, and what becomes of the first rows. */
export function PasteRows({ kind, preview, table, waiting, onColumn }: PasteRowsProps) {
  return (
    <section className={waiting ? 'preview preview-waiting' : 'preview'} aria-busy={waiting}>
      <div role="group" aria-label={enPaste.columns} className="paste-columns">
        {preview.columns.map((column, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a column of a pasted table is its place.
          <label key={i}>
            <span className="quiet">{enPaste.column(i, column.text)}</span>
            <select
              className="input"
              value={column.column ?? ''}
              onChange={(event) => onColumn(i, event.target.value === '' ? null : event.target.value)}
            >
              <option value="">{enPaste.passOver}</option>
              {preview.choices.map((choice) => (
                <option key={choice} value={choice}>
                  {choice}
                </option>
              ))}
            </select>
          </label>
        ))}
      </div>
      <ScrollBox className="preview-scroll" label={enPaste.values}>
        <table className="diff preview-table paste-table">
          <thead>
            <tr>
              <th scope="col">{enPaste.what}</th>
              <th scope="col">{enPaste.row}</th>
              <th scope="col">{enPaste.values}</th>
            </tr>
          </thead>
          <tbody>
            {preview.rows.map((row) => (
              <tr key={row.at}>
                <td>
                  <span className={`grid-mark-${TONES[row.outcome]}`}>
                    <span aria-hidden="true">{SIGNS[row.outcome]} </span>
                    {enPaste.outcome[row.outcome]}
                  </span>
                </td>
                <td>{row.label === '' ? table[row.at]?.join(' ') : row.label}</td>
                <td>
                  {row.problems.length > 0 ? (
                    <span className="note-error">{row.problems.map(({ message }) => message).join(' ')}</span>
                  ) : (
                    row.cells
                      .map(({ field, value }) => `${fieldName(field)}: ${valueText(kind, field, value, NO_MEDIA)}`)
                      .join(' · ')
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      {table.length > preview.rows.length + 1 && (
        <p className="quiet">{enPaste.shown(preview.rows.length, table.length)}</p>
      )}
    </section>
  );
}
