import type { ImportPreview } from '../../../shared/contract/exchange.ts';
import { useAppContext } from '../../app/desk.ts';
import { saveFrom } from '../../app/save-text.ts';
import { en } from '../../messages/en.ts';
import { enImport } from '../../messages/en-import.ts';
import { countText } from '../../messages/numbers.ts';
import { Figures } from '../../ui/Figures.tsx';

const SHOWN_MAX = 200;

/** What a file would do in figures, and what was noticed about it. */
export function SheetFigures({ preview }: { readonly preview: ImportPreview }) {
  const figures: readonly (readonly [number, string])[] = [
    [preview.added, en.sheet.add],
    [preview.changed, en.sheet.change],
    ...(preview.removed === 0 ? [] : [[preview.removed, enImport.outcome.removed] as const]),
    [preview.unchanged, en.sheet.unchanged],
    ...(preview.leftOut === 0 ? [] : [[preview.leftOut, enImport.leftOut] as const]),
    [preview.errorCount, en.sheet.errors],
  ];
  const { added, changed, removed, conflicts, leftOut, errors } = preview;
  const nothing = added + changed + removed + conflicts + leftOut + preview.spareFiles === 0 && errors.length === 0;
  return (
    <>
      <p className="quiet">{enImport.rowsInFile(preview.rows)}</p>
      <Figures figures={figures.map(([count, name]) => ({ name, value: countText(count) }))} />
      {nothing && <p>{en.sheet.nothing}</p>}
      {preview.media > 0 && <p className="quiet">{en.sheet.media(preview.media)}</p>}
      {preview.unknownColumns.length > 0 && (
        <p className="note-warning">{en.sheet.unknown(preview.unknownColumns.join(', '))}</p>
      )}
      {preview.skippedParts.length > 0 && <p className="note-warning">{enImport.skippedParts(preview.skippedParts)}</p>}
      {preview.formulaCount > 0 && <p className="note-warning">{en.sheet.formulas(preview.formulaCount)}</p>}
      {preview.warningCount > 0 && <Warnings preview={preview} />}
    </>
  );
}

/** What is odd about rows that come in all the same, or not as they are written. */
function Warnings({ preview: { warnings, warningCount } }: { readonly preview: ImportPreview }) {
  return (
    <details className="left-out" open>
      <summary>
        <strong>{enImport.warnings}</strong> <span className="badge">{countText(warningCount)}</span>
      </summary>
      <Problems problems={warnings} />
    </details>
  );
}

/** Every line that cannot be read, and the way to get them back as a sheet of their own. */
export function SheetProblems({ preview }: { readonly preview: ImportPreview }) {
  const { actions } = useAppContext();
  const saveFailed = async (): Promise<void> => {
    const failed = await actions.failedRows(preview.previewId);
    if (failed !== null) saveFrom(failed.fileName, failed.url);
  };
  return (
    <>
      <p className="note-error">
        {en.sheet.partly}{' '}
        <button type="button" className="chip" onClick={() => void saveFailed()}>
          {en.sheet.failed}
        </button>
      </p>
      <Problems problems={preview.errors} />
    </>
  );
}

function Problems({ problems }: { readonly problems: ImportPreview['errors'] }) {
  return (
    <table className="diff diff-problems">
      <thead>
        <tr>
          <th scope="col">{en.sheet.line}</th>
          <th scope="col">{en.sheet.column}</th>
          <th scope="col">{en.sheet.problem}</th>
        </tr>
      </thead>
      <tbody>
        {problems.slice(0, SHOWN_MAX).map((problem) => (
          <tr key={`${problem.line} ${problem.column} ${problem.message}`}>
            <td className="numeric">{problem.line}</td>
            <td>{problem.column}</td>
            <td>{problem.message}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
