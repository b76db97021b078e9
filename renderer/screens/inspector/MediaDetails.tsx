import type { WindowRow } from '../../../shared/contract/workspace.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import { fieldNames } from '../../../shared/model/fields.ts';
import type { Finding } from '../../../shared/rules/finding.ts';
import { useAppContext } from '../../app/desk.ts';
import { preview } from '../../data/questions.ts';
import { useMedia } from '../../data/use-media.ts';
import { useQuery } from '../../data/use-query.ts';
import { isHere } from '../../grid/columns.ts';
import { DraggableFile } from '../frame/FileOut.tsx';
import { FileChecks } from '../media/FileChecks.tsx';
import { MediaPreview } from './MediaPreview.tsx';
import { MediaUsage } from './MediaUsage.tsx';
import { factTexts } from './media-facts.ts';
import { UploadState } from './UploadState.tsx';

const NAMES = fieldNames('media');

interface MediaDetailsProps {
  readonly workspaceId: string;
  readonly row: WindowRow;
  readonly findings: readonly Pick<Finding, 'rule' | 'severity'>[];
}

/** A file of the library: picture, what the probe found, each check, and how its upload stands. */
export function MediaDetails({ workspaceId, row, findings }: MediaDetailsProps) {
  const { files } = useMedia(workspaceId);
  const { connection } = useAppContext();
  const file = useQuery(isHere(row) ? preview(workspaceId, row.id) : null).data;
  const value = (field: string): Cell => row.cells[NAMES.indexOf(field)] ?? null;
  const text = (field: string): string => String(value(field) ?? '');
  const facts = factTexts(isHere(row) ? text('facts') : JSON.stringify({ durationMs: value('durationMs') }));
  return (
    <>
      <MediaPreview workspaceId={workspaceId} mediaId={row.id} files={files} />
      {file !== undefined && <DraggableFile file={file} filesOut={connection.filesOut} />}
      {facts.length > 0 && (
        <dl className="facts">
          {facts.map(([name, text]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      )}
      {isHere(row) && <FileChecks mediaType={text('mediaType')} findings={findings} />}
      {isHere(row) ? (
        <UploadState mediaId={row.id} mediaState={text('mediaState')} reason={text('stateReason')} />
      ) : (
        text('stateReason') !== '' && <p className="note-error">{text('stateReason')}</p>
      )}
      <MediaUsage workspaceId={workspaceId} mediaId={row.id} mediaType={text('mediaType')} />
    </>
  );
}
