import type { BulkPair, BulkPreview } from '../../../shared/contract/bulk.ts';
import { type MediaNames, valueText } from '../../grid/columns.ts';
import { en } from '../../messages/en.ts';
import { ScrollBox } from '../../ui/ScrollBox.tsx';

interface PreviewTableProps {
  readonly preview: BulkPreview;
  readonly media: MediaNames;
  readonly waiting: boolean;
}

/** Old and new values of the first rows, and what is left alone with its reason. */
export function PreviewTable({ preview, media, waiting }: PreviewTableProps) {
  const text = (pair: BulkPair, value: BulkPair['before']): string =>
    pair.field === null ? '' : valueText(pair.kind, pair.field, value, media) || en.sync.emptyValue;
  return (
    <section
      className={waiting ? 'preview preview-waiting' : 'preview'}
      aria-label={en.bulk.preview}
      aria-busy={waiting}
    >
      <p className="preview-count" role="status">
        <strong>{preview.cells === 0 ? en.bulk.unchanged : en.bulk.cells(preview.cells)}</strong>
        {preview.cells > preview.pairs.length && (
          <span className="quiet">{en.bulk.examples(preview.pairs.length, preview.cells)}</span>
        )}
      </p>
      {preview.refused.length > 0 && (
        <p className="preview-left">
          <span className="grid-mark-warning">{en.bulk.leftAlone}:</span>{' '}
          {preview.refused.map(({ why, rows }) => en.bulk.refused(rows, en.bulk.why[why])).join('; ')}
        </p>
      )}
      {preview.pairs.length > 0 && (
        <ScrollBox className="preview-scroll" label={en.bulk.preview}>
          <table className="diff preview-table">
            <thead>
              <tr>
                <th scope="col">{en.bulk.row}</th>
                <th scope="col">{en.bulk.was}</th>
                <th scope="col">{en.bulk.is}</th>
              </tr>
            </thead>
            <tbody>
              {preview.pairs.map((pair) => (
                <tr key={`${pair.kind} ${pair.id} ${pair.field}`}>
                  <td title={`${pair.campaignName} › ${pair.label}`}>
                    {pair.label} <span className="quiet">{pair.campaignName}</span>
                  </td>
                  <td>
                    <del>{text(pair, pair.before)}</del>
                  </td>
                  <td>
                    <ins>{text(pair, pair.value)}</ins>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollBox>
      )}
    </section>
  );
}
