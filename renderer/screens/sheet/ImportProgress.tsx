import { useView } from '../../app/desk.ts';
import { enImport as texts } from '../../messages/en-import.ts';

/** How far reading or applying a file is, once it takes a while; *Cancel* below ends it. */
export function ImportProgress({ job }: { readonly job: string }) {
  const work = useView((s) => s.tasks[job]);
  if (work === undefined) return null;
  const { share } = work;
  return (
    <p className="quiet import-progress">
      <progress value={share ?? undefined} aria-label={texts.progress} /> {share === null ? '' : texts.share(share)}
    </p>
  );
}
