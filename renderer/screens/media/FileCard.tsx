import { IconCircleCheck, IconCircleX, IconLoader } from '@tabler/icons-react';
import type { AddedFile } from '../../../shared/contract/files.ts';
import { fileRefusalText } from '../../../shared/media/file-refusal.ts';
import { fieldNames } from '../../../shared/model/fields.ts';
import { findingText } from '../../../shared/rules/messages.ts';
import { useView } from '../../app/desk.ts';
import { row } from '../../data/questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { en } from '../../messages/en.ts';
import { choiceName } from '../../messages/fields.ts';
import { factTexts } from '../inspector/media-facts.ts';

const FACTS = fieldNames('media').indexOf('facts');

/** One file with its verdict: usable or not, what was found in it, and every rule it breaks. */
export function FileCard({ fileName, result }: { readonly fileName: string; readonly result: AddedFile | null }) {
  if (result === null) {
    return (
      <li className="card" aria-busy="true">
        <p>
          <IconLoader size={15} stroke={1.5} aria-hidden="true" /> <strong>{fileName}</strong> {en.media.checking}
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
      </li>
    );
  }
  return <AddedCard {...result} />;
}

type Added = Extract<AddedFile, { outcome: 'added' }>;

function AddedCard({ fileName, mediaId, mediaType, known }: Added) {
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
      {problems.map((finding) => (
        <p key={finding.rule} className={`note-${finding.severity}`}>
          {findingText(finding)}
        </p>
      ))}
    </li>
  );
}
