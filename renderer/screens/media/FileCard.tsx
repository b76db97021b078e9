import { IconCircleCheck, IconCircleX, IconLoader } from '@tabler/icons-react';
import type { AddedFile } from '../../../shared/contract/files.ts';
import { fileRefusalText } from '../../../shared/media/file-refusal.ts';
import { fieldNames } from '../../../shared/model/fields.ts';
import { useView } from '../../app/desk.ts';
import { row } from '../../data/questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { en } from '../../messages/en.ts';
import { choiceName } from '../../messages/fields.ts';
import { findingText } from '../../messages/findings.ts';
import { factTexts } from '../inspector/media-facts.ts';
import { FileChecks } from './FileChecks.tsx';
import { KnownFile } from './KnownFile.tsx';
import { LogoFit } from './LogoFit.tsx';

const FACTS = fieldNames('media').indexOf('facts');

interface FileCardProps {
  readonly file: File;
  /** Null while it is checked. */
  readonly result: AddedFile | null;
  /** Gets a picture that was made a logo. */
  readonly onFit: (fitted: File) => void;
}

/** One file with its verdict: usable or not, what was found in it, every rule it breaks, and a way to mend a picture. */
export function FileCard({ file, result, onFit }: FileCardProps) {
  if (result === null) {
    return (
      <li className="card" aria-busy="true">
        <p>
          <IconLoader size={15} stroke={1.5} aria-hidden="true" /> <strong>{file.name}</strong> {en.media.checking}
        </p>
      </li>
    );
  }
  if (result.outcome === 'refused') {
    return (
      <li className="card card-error">
        <p>
          <IconCircleX size={15} stroke={1.5} aria-hidden="true" /> <strong>{en.media.refused}</strong>
        </p>
        <p>{fileRefusalText(result.fileName, result.reason, result.params)}</p>
        {file.type.startsWith('image/') && <LogoFit file={file} onFit={onFit} />}
      </li>
    );
  }
  return <AddedCard {...result} file={file} onFit={onFit} />;
}

type Added = Extract<AddedFile, { outcome: 'added' }> & Pick<FileCardProps, 'file' | 'onFit'>;

function AddedCard({ fileName, mediaId, mediaType, known, file, onFit }: Added) {
  const workspaceId = useView((s) => s.workspaceId) ?? '';
  const detail = useQuery(row(workspaceId, { kind: 'media', id: mediaId })).data;
  const facts = factTexts(String(detail?.row.cells[FACTS] ?? ''));
  const problems = detail?.findings.filter((finding) => finding.severity !== 'advice') ?? [];
  const failed = problems.some((finding) => finding.severity === 'error');
  return (
    <li className={failed ? 'card card-error' : 'card card-good'}>
      <p>
        {failed ? (
          <IconCircleX size={15} stroke={1.5} aria-hidden="true" />
        ) : (
          <IconCircleCheck size={15} stroke={1.5} aria-hidden="true" />
        )}{' '}
        <strong>{fileName}</strong> <span className="badge">{choiceName(mediaType)}</span>{' '}
        {failed ? en.media.fail : known ? en.media.known : en.media.added}
      </p>
      {facts.length > 0 && <p className="quiet">{facts.map(([name, text]) => `${name} ${text}`).join(' · ')}</p>}
      {detail !== undefined && <FileChecks mediaType={mediaType} findings={detail.findings} />}
      {problems.map((finding) => (
        <p key={finding.rule} className={`note-${finding.severity}`}>
          {findingText(finding)}
        </p>
      ))}
      {known && !failed && detail !== undefined && <KnownFile row={detail.row} mediaType={mediaType} />}
      {failed && mediaType === 'logo' && <LogoFit file={file} onFit={onFit} />}
    </li>
  );
}
