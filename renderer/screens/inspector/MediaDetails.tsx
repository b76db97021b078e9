import type { WindowRow } from '../../../shared/contract/workspace.ts';
import { fieldNames } from '../../../shared/model/fields.ts';
import type { Finding } from '../../../shared/rules/finding.ts';
import { useDesk } from '../../app/desk.ts';
import { preview } from '../../data/questions.ts';
import { useMedia } from '../../data/use-media.ts';
import { useQuery } from '../../data/use-query.ts';
import { FileOut } from '../frame/FileOut.tsx';
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
  const { connection } = useDesk();
  const file = useQuery(preview(workspaceId, row.id)).data;
  const text = (field: string): string => String(row.cells[NAMES.indexOf(field)] ?? '');
  const facts = factTexts(text('facts'));
  return (
    <>
      <MediaPreview workspaceId={workspaceId} mediaId={row.id} files={files} />
      {file !== undefined && <FileOut file={file} filesOut={connection.filesOut} />}
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
      <FileChecks mediaType={text('mediaType')} findings={findings} />
      <UploadState mediaId={row.id} mediaState={text('mediaState')} reason={text('stateReason')} />
      <MediaUsage workspaceId={workspaceId} mediaId={row.id} mediaType={text('mediaType')} />
    </>
  );
}
