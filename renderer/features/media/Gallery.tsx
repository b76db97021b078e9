import { IconMovie, IconX } from '@tabler/icons-react';
import { skipToken, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import type { WindowRow } from '../../../shared/api/workspace.ts';
import { fileRefusalText } from '../../../shared/media/file-refusal.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { printSearch } from '../../../shared/search/query.ts';
import { useApi, useAppContext, useView } from '../../app/app-context.ts';
import { choiceName, KIND_NAMES } from '../../app/field-names.ts';
import { issueText } from '../../app/issue-text.ts';
import { plural } from '../../app/locale/numbers.ts';
import { rowMark } from '../../app/move-commands.ts';
import { cellOf, textOf } from '../../app/row-cells.ts';
import { useFile, useRow, useRows } from '../../app/shared-queries.ts';
import { readFile } from '../../app/transport/read-file.ts';
import { StatusShape } from '../../components/StatusShape.tsx';
import ui from '../../components/ui.module.css';
import { useViewport } from '../../components/use-viewport.ts';
import { isHere } from '../../grid/columns.ts';
import { ServicePicture } from '../../grid/ServicePicture.tsx';
import { useReveal } from '../../grid/use-reveal.ts';
import type { OpenView } from '../../grid/window.ts';
import { MediaDetails } from './MediaDetails.tsx';
import { LogoFit } from './MediaDialog.tsx';
import { replaceUses } from './MediaUsage.tsx';
import styles from './media.module.css';
import { makePoster } from './poster.ts';

const texts = {
  unread: (name: string) => `Can't read ${name}. Check that the file is still there, then try again.`,
  drop: 'Drop files anywhere in the window.',
  dropHint: 'MP4, MOV, PNG, SRT, VTT. Adslate checks each file before upload.',
  details: 'Details',
  close: 'Close details',
  unused: 'Not used',
  uses: (n: number) => plural(n, 'use'),
  captions: 'CC',
  withCaptions: 'with captions',
  fit: 'Fit',
  faulty: 'Error',
  brand: 'Brand name',
  headline: 'Headline',
  fitted: 'Replace logo',
} as const;

interface GalleryProps {
  readonly workspaceId: string;
  readonly view: OpenView;
}

/** Minimum width of a card, gap between cards, and height of the lines below a picture, in CSS pixels. */
const CARD_PX = 216;
const GAP_PX = 12;
const FOOT_PX = 56;
const PAD_PX = 14;

/** Creatives as cards; only visible ones are rendered. Arrow keys move the selection; its details are at the side. */
export function Gallery({ workspaceId, view }: GalleryProps) {
  const { store } = useAppContext();
  const { source } = view;
  const { kind } = source.request;
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const size = useViewport(box, { height: 600, width: 900 });
  const [isOpen, setOpen] = useState(false);
  useSyncExternalStore(source.subscribe, source.version);
  const at = useView((s) => s.active.row);
  const paneIsOpen = useView((s) => !s.hidden.inspector);
  const length = source.length();
  const columns = Math.max(1, Math.floor((size.width - 2 * PAD_PX + GAP_PX) / (CARD_PX + GAP_PX)));
  const width = (size.width - 2 * PAD_PX - GAP_PX * (columns - 1)) / columns;
  const line = (width * 9) / 16 + FOOT_PX + GAP_PX;
  const first = Math.max(0, Math.floor((size.top - PAD_PX) / line) - 1) * columns;
  const last = Math.min(length, (Math.ceil((size.top + size.height) / line) + 1) * columns);
  const active = Math.min(at, length - 1);
  const row = source.rowAt(active);

  useEffect(() => {
    source.want(first, last);
    void source.wantIssues(first, last);
  });

  const go = (to: number): void => {
    const next = Math.max(0, Math.min(length - 1, to));
    store.getState().select({ row: next, col: 0 }, false);
    const top = PAD_PX + Math.floor(next / columns) * line;
    const element = box.current;
    if (element === null) return;
    if (top < element.scrollTop) element.scrollTop = top - PAD_PX;
    else if (top + line > element.scrollTop + element.clientHeight)
      element.scrollTop = top + line - element.clientHeight;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: active + 1,
      ArrowLeft: active - 1,
      ArrowDown: active + columns,
      ArrowUp: active - columns,
      Home: 0,
      End: length - 1,
    };
    const step = steps[event.key];
    if (step === undefined && event.key !== 'Enter' && !(event.key === 'Escape' && isOpen)) return;
    event.preventDefault();
    if (step === undefined) setOpen(event.key === 'Enter');
    else go(step);
  };
  const focus = (): void => box.current?.querySelector<HTMLElement>('[role="listbox"]')?.focus();
  const close = (): void => {
    setOpen(false);
    focus();
  };
  useReveal(source, (to) => {
    go(to);
    // A link opened in another tab may show cards behind a dialog; the dialog keeps the focus.
    if (store.getState().dialog === null) focus();
  });
  return (
    <div className={styles['gallery']} data-gallery="">
      <div ref={box} className={styles['gallery-box']} data-scrolls="">
        <div
          role="listbox"
          tabIndex={0}
          aria-label={KIND_NAMES[kind].many}
          aria-activedescendant={row === undefined ? undefined : `${id}-${active}`}
          className={styles['gallery-canvas']}
          style={{ height: 2 * PAD_PX + Math.ceil(length / columns) * line }}
          onKeyDown={onKeyDown}
        >
          {Array.from({ length: Math.max(0, last - first) }, (_, n) => first + n).map((index) => {
            const card = source.rowAt(index);
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys
              <div
                key={index}
                role="option"
                tabIndex={-1}
                id={`${id}-${index}`}
                {...rowMark(kind, card)}
                aria-selected={index === active}
                aria-setsize={length}
                aria-posinset={index + 1}
                className={index === active ? `${styles['tile']} ${styles['tile-active']}` : styles['tile']}
                style={{
                  width,
                  height: line - GAP_PX,
                  transform: `translate(${PAD_PX + (index % columns) * (width + GAP_PX)}px, ${PAD_PX + Math.floor(index / columns) * line}px)`,
                }}
                onClick={() => {
                  go(index);
                  setOpen(true);
                }}
              >
                {card !== undefined && <Card workspaceId={workspaceId} view={view} kind={kind} row={card} />}
              </div>
            );
          })}
        </div>
        {kind === 'media' && (
          <p className={styles['gallery-drop']}>
            <b>{texts.drop}</b> {texts.dropHint}
          </p>
        )}
      </div>
      {isOpen && !paneIsOpen && row !== undefined && kind === 'media' && (
        <FileDetails key={row.id} workspaceId={workspaceId} row={row} onClose={close} />
      )}
    </div>
  );
}

interface CardProps {
  readonly workspaceId: string;
  readonly view: OpenView;
  readonly kind: Kind;
  readonly row: WindowRow;
}

/** The picture of a creative, its name, its uses, and its state or worst issue. */
function Card({ workspaceId, view, kind, row }: CardProps) {
  const worst = view.source.issuesOf(row)?.find(({ severity }) => severity === 'error');
  const isFile = kind === 'media';
  const name = isFile ? textOf(kind, row, 'fileName') || textOf(kind, row, 'mediaName') : row.campaignName;
  const type = isFile ? textOf(kind, row, 'mediaType') : '';
  const state = textOf(kind, row, isFile ? 'mediaState' : 'reviewStatus');
  return (
    <>
      <span className={styles['tile-picture']}>
        {kind === 'sbaProfile' ? (
          <Banner workspaceId={workspaceId} row={row} />
        ) : type === 'logo' ? (
          <LogoPair workspaceId={workspaceId} row={row} />
        ) : type === 'caption' ? (
          <span className={styles['tile-none']}>{texts.captions}</span>
        ) : (
          <Poster workspaceId={workspaceId} row={row} kind={kind} />
        )}
      </span>
      <span className={styles['tile-line']}>
        <span className={styles['tile-name']} title={name}>
          {name}
        </span>
      </span>
      <span className={styles['tile-line']}>
        <span className={`${styles['tile-name']} ${ui['quiet']}`}>
          {isFile ? <Uses workspaceId={workspaceId} row={row} type={type} /> : choiceName(textOf(kind, row, 'status'))}
        </span>
        {worst === undefined ? (
          state !== '' && <StatusShape state={state} text={choiceName(state)} />
        ) : (
          <span title={issueText(worst)}>
            <StatusShape state="failed" text={type === 'logo' && isHere(row) ? texts.fit : texts.faulty} />
          </span>
        )}
      </span>
    </>
  );
}

/** The users of a file: the name of one campaign, or the number of several. */
function Uses({ workspaceId, row, type }: Omit<CardProps, 'view' | 'kind'> & { readonly type: string }) {
  const [kind, field] = type === 'logo' ? (['sbaProfile', 'logo'] as const) : (['videoProfile', 'video'] as const);
  const filter = printSearch({ is: 'compare', field, op: '=', value: row.id }, kind);
  const used = useRows(workspaceId, type === 'caption' ? null : { kind, filter }, 1).data;
  if (used === undefined) return null;
  if (used.total > 1) return texts.uses(used.total);
  return used.rows[0]?.campaignName ?? texts.unused;
}

function LogoPair({ workspaceId, row }: Pick<CardProps, 'workspaceId' | 'row'>) {
  const file = useFile(workspaceId, row.id).data;
  return (
    <span className={styles['tile-logos']}>
      <span>{file !== undefined && <img src={file.url} alt="" />}</span>
      <span>{file !== undefined && <img src={file.url} alt="" />}</span>
    </span>
  );
}

/** A profile, shown as its banner. */
function Banner({ workspaceId, row }: Pick<CardProps, 'workspaceId' | 'row'>) {
  const logo = cellOf('sbaProfile', row, 'logo');
  const file = useFile(workspaceId, typeof logo === 'number' ? logo : null).data;
  return (
    <span className={styles['tile-banner']}>
      {file === undefined ? (
        <ServicePicture
          workspaceId={workspaceId}
          of={{ is: 'row', kind: 'sbaProfile', id: row.id }}
          alt=""
          size={{ width: 64, height: 64 }}
        />
      ) : (
        <img src={file.url} alt="" />
      )}
      <span>
        <span className={styles['tile-headline']}>{textOf('sbaProfile', row, 'headline') || texts.headline}</span>
        <span>{textOf('sbaProfile', row, 'brand') || texts.brand}</span>
      </span>
    </span>
  );
}

/** A frame of a video with its length. A missing frame is drawn here and saved. */
function Poster({ workspaceId, row, kind }: Pick<CardProps, 'workspaceId' | 'row' | 'kind'>) {
  const { connection } = useAppContext();
  const video = kind === 'media' ? row.id : cellOf(kind, row, 'video');
  const id = typeof video === 'number' ? (video as WindowRow['id']) : null;
  const used = useRow(workspaceId, kind === 'media' || id === null ? null : { kind: 'media', id });
  const file = kind === 'media' ? row : used?.row;
  const hasFile = file !== undefined && isHere(file);
  const shown = useQuery(
    useApi().pictures.show.queryOptions({
      input: id === null || !hasFile ? skipToken : { workspaceId, of: { is: 'poster', id } },
    }),
  ).data;
  const [drawn, setDrawn] = useState<string | null>(null);
  const isMissing = shown !== undefined && shown.url === null;
  useEffect(() => {
    if (!isMissing || id === null) return;
    let over = false;
    void makePoster(connection.client, workspaceId, id).then((url) => {
      if (!over) setDrawn(url);
    });
    return () => {
      over = true;
    };
  }, [isMissing, id, connection, workspaceId]);
  const url = shown?.url ?? drawn;
  const length = file === undefined ? null : lengthOf(file);
  const hasCaption = file !== undefined && cellOf('media', file, 'caption') !== null;
  return (
    <>
      {url !== null ? (
        <img className={styles['tile-poster']} src={url} alt="" />
      ) : file !== undefined && !hasFile ? (
        <ServicePicture
          workspaceId={workspaceId}
          of={{ is: 'row', kind: 'media', id: file.id }}
          alt=""
          size={{ width: CARD_PX, height: (CARD_PX * 9) / 16 }}
        />
      ) : (
        <span className={styles['tile-none']}>
          <IconMovie size={24} stroke={1.5} aria-hidden="true" />
        </span>
      )}
      {(length !== null || hasCaption) && (
        <span className={styles['tile-length']}>
          {hasCaption && <abbr title={texts.withCaptions}>{texts.captions}</abbr>} {length}
        </span>
      )}
    </>
  );
}

/** The length of a video as 0:12; null if unknown. */
function lengthOf(file: WindowRow): string | null {
  const facts = /"durationMs":(\d+)/.exec(textOf('media', file, 'facts'));
  const ms = Number(facts?.[1] ?? cellOf('media', file, 'durationMs') ?? 0);
  if (ms === 0) return null;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

interface FileDetailsProps {
  readonly workspaceId: string;
  readonly row: WindowRow;
  readonly onClose: () => void;
}

/** A file with its player, checks and uses, and a tool to resize a logo. */
function FileDetails({ workspaceId, row, onClose }: FileDetailsProps) {
  const detail = useRow(workspaceId, { kind: 'media', id: row.id });
  const issues = detail?.issues ?? [];
  const name = textOf('media', row, 'fileName') || textOf('media', row, 'mediaName');
  const faulty = issues.filter(({ severity }) => severity !== 'advice');
  return (
    <aside
      className={styles['file-pane']}
      aria-label={texts.details}
      data-pane
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        onClose();
      }}
    >
      <div className={styles['file-head']}>
        <h2 title={name}>{name}</h2>
        <button type="button" aria-label={texts.close} title={texts.close} onClick={onClose}>
          <IconX size={16} stroke={1.5} aria-hidden="true" />
        </button>
      </div>
      <MediaDetails workspaceId={workspaceId} row={row} issues={issues} />
      {faulty.map((issue) => (
        <p key={issue.rule} className={ui[`note-${issue.severity}`]}>
          {issueText(issue)}
        </p>
      ))}
      {isHere(row) &&
        textOf('media', row, 'mediaType') === 'logo' &&
        faulty.some(({ severity }) => severity === 'error') && (
          <FitInPlace workspaceId={workspaceId} row={row} name={name} />
        )}
    </aside>
  );
}

/** Resizes a logo of the library; profiles that use it get the resized one. */
function FitInPlace({ workspaceId, row, name }: Omit<FileDetailsProps, 'onClose'> & { readonly name: string }) {
  const context = useAppContext();
  const { actions, toasts, store } = context;
  const url = useFile(workspaceId, row.id).data?.url;
  const [file, setFile] = useState<File | null>(null);
  useEffect(() => {
    if (url === undefined) return;
    let over = false;
    void readFile(url, name).then((read) => {
      if (over) return;
      setFile(read);
      if (read === null) toasts.fail(texts.unread(name));
    });
    return () => {
      over = true;
    };
  }, [url, name, toasts]);
  const use = async (fitted: File): Promise<void> => {
    const [added] = await actions.addMedia([fitted]);
    if (added == null) return;
    if (added.outcome === 'refused') return toasts.fail(fileRefusalText(added.fileName, added.reason, added.params));
    const { mediaId } = added;
    const uses = { workspaceId, mediaType: 'logo', mediaId: row.id, by: mediaId, label: texts.fitted } as const;
    if ((await replaceUses(context, uses)) && store.getState().workspaceId === workspaceId)
      store.getState().reveal('media', null, mediaId, null);
  };
  return file === null ? null : <LogoFit file={file} onFit={(fitted) => void use(fitted)} />;
}
