import type { BulkPreview } from '../../../shared/contract/bulk.ts';
import { en } from '../../messages/en.ts';
import { fieldName } from '../../messages/fields.ts';

/** What copies do not take along, and the rows that cannot be copied, with the reason. */
export function LeftBehind({ preview }: { readonly preview: Pick<BulkPreview, 'dropped' | 'refused'> }) {
  const { dropped, refused } = preview;
  return (
    <>
      {dropped.length > 0 && (
        <p className="quiet preview-left">
          {en.copies.dropped}{' '}
          {dropped.map(({ field, rows }) => en.copies.droppedField(fieldName(field), rows)).join(', ')}
        </p>
      )}
      {refused.length > 0 && (
        <p className="preview-left">
          <span className="grid-mark-warning">{en.bulk.leftAlone}:</span>{' '}
          {refused.map(({ why, rows }) => en.bulk.refused(rows, en.bulk.why[why])).join('; ')}
        </p>
      )}
    </>
  );
}
