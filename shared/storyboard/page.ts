import { htmlText } from '../model/text.ts';

/**
 * The page for a client: one self-contained HTML file. It contains escaped texts and pictures as data; the one script
 * is the constant below, and the content security policy of the page allows no other.
 */
export interface Storyboard {
  readonly id: string;
  readonly account: string;
  /** The date it was made, as text. */
  readonly day: string;
  readonly campaigns: readonly StoryboardCampaign[];
}

export interface StoryboardCampaign extends Commented {
  readonly name: string;
  /** State, days, and where they are shown budgets. */
  readonly facts: readonly string[];
  readonly creatives: readonly StoryboardCreative[];
  readonly items: readonly (Commented & {
    readonly name: string;
    readonly picture: string | null;
    readonly fact: string;
  })[];
  readonly keywords: readonly (Commented & { readonly text: string; readonly fact: string })[];
}

export interface StoryboardCreative extends Commented {
  readonly shows: 'banner' | 'video';
  /** Fields by name, with their text. */
  readonly fields: readonly { readonly field: string; readonly label: string; readonly text: string }[];
  readonly brand: string;
  readonly headline: string;
  /** As a data URL; null without one. */
  readonly logo: string | null;
  readonly still: string | null;
  readonly video: string | null;
  /** Why no video is in the page. */
  readonly without: string;
  readonly captions: readonly string[];
  /** Changes since the last approval; null if never approved. */
  readonly changes: readonly string[] | null;
}

/** A row that comments go to. */
interface Commented {
  /** As `kind/id`. */
  readonly row: string;
}

export const STORYBOARD_STYLE = `:root{color-scheme:light}body{margin:0;font:14px/20px system-ui,sans-serif;color:#1c2430;background:#f4f6f9}
header,main{max-width:960px;margin:0 auto;padding:16px 24px}header{position:sticky;top:0;z-index:1;display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center;background:#f4f6f9;border-bottom:1px solid #d5dae2}
h1{font-size:18px;margin:0;flex:1 1 100%}h2{font-size:18px;margin:0}h3{font-size:14px;margin:16px 0 8px}article{background:#fff;border:1px solid #d5dae2;border-radius:8px;padding:16px;margin:16px 0;break-inside:avoid-page}
.facts,.quiet{color:#566173;margin:4px 0}.banner{display:flex;gap:12px;align-items:center;width:728px;max-width:100%;height:90px;box-sizing:border-box;padding:12px;border:1px solid #d5dae2;border-radius:4px}
.banner img{max-width:120px;max-height:64px}.banner b{font-size:18px;display:block}video,.still{max-width:640px;width:100%;background:#000;border-radius:4px}
ul{list-style:none;padding:0;margin:0}.items{display:flex;flex-wrap:wrap;gap:12px}.items li{width:140px}.items img{width:96px;height:96px;object-fit:contain}
.keywords li{display:inline-block;margin:0 8px 8px 0;padding:2px 8px;border:1px solid #d5dae2;border-radius:12px}
button,input,textarea{font:inherit;color:inherit;padding:4px 10px;border:1px solid #8894a6;border-radius:6px;background:#fff}button{cursor:pointer}input{margin-left:4px}p{text-wrap:pretty}:focus-visible{outline:2px solid #2a55d6;outline-offset:1px}button[aria-pressed=true]{background:#2a55d6;color:#fff}.main{background:#2a55d6;color:#fff;border-color:#2a55d6}
.c{padding:0 6px;border:0;color:#2a55d6;background:none;text-decoration:underline}textarea{display:block;width:100%;box-sizing:border-box;margin:4px 0}dl{display:grid;grid-template-columns:120px 1fr;gap:2px 8px}dt{color:#566173}dd{margin:0}
@media print{header{position:static}button,input,label,textarea:placeholder-shown{display:none}body{background:#fff}}`;

/** Collects comments and approvals, and saves them as a file. It reads nothing but the page. */
const SCRIPT = `'use strict';
const entries=new Map();
const key=(b)=>b.dataset.row+' '+(b.dataset.field||'');
const entry=(b)=>{const k=key(b);if(!entries.has(k)){const [kind,n]=b.dataset.row.split('/');entries.set(k,{ref:{kind,id:Number(n)},field:b.dataset.field||null,text:'',verdict:null,at:0})}return entries.get(k)};
const say=()=>{const n=[...entries.values()].filter((e)=>e.text||e.verdict).length;document.getElementById('count').textContent=n===0?'No comments yet':n===1?'1 comment':n+' comments'};
document.addEventListener('click',(event)=>{const b=event.target.closest('button');if(!b)return;
if(b.dataset.do==='comment'){let t=b.nextElementSibling;if(!t||t.tagName!=='TEXTAREA'){t=document.createElement('textarea');t.rows=2;t.maxLength=4000;t.setAttribute('aria-label',b.getAttribute('aria-label'));t.addEventListener('input',()=>{const e=entry(b);e.text=t.value.trim();e.at=Date.now();say()});b.after(t)}t.focus()}
if(b.dataset.do==='verdict'){const e=entry(b);e.verdict=e.verdict===b.value?null:b.value;e.at=Date.now();for(const o of b.parentElement.querySelectorAll('[data-do=verdict]'))o.setAttribute('aria-pressed',String(o.value===e.verdict));say()}
if(b.id==='save'){const name=document.getElementById('name');if(!name.value.trim()){name.focus();name.setAttribute('aria-invalid','true');document.getElementById('count').textContent='Enter your name first';return}
const file={format:'adslate-comments',version:1,storyboard:document.body.dataset.storyboard,name:name.value.trim(),entries:[...entries.values()].filter((e)=>e.text||e.verdict)};
const a=document.createElement('a');a.href=URL.createObjectURL(new Blob([JSON.stringify(file)],{type:'application/json'}));a.download='comments.adslate-comments';a.click();URL.revokeObjectURL(a.href);name.removeAttribute('aria-invalid');document.getElementById('count').textContent='Saved. Send the file back.'}
if(b.id==='print')window.print()});say();`;

/** The script, for the code that computes its hash. */
export const STORYBOARD_SCRIPT = SCRIPT;

const comment = (row: string, field: string | null, about: string): string =>
  `<button type="button" class="c" data-do="comment" data-row="${htmlText(row)}"${field === null ? '' : ` data-field="${htmlText(field)}"`} aria-label="${htmlText(`Comment on ${about}`)}">Comment</button>`;

const verdicts = (row: string): string =>
  `<p>${(['approved', 'rejected'] as const)
    .map(
      (verdict) =>
        `<button type="button" data-do="verdict" value="${verdict}" data-row="${htmlText(row)}" aria-pressed="false">${verdict === 'approved' ? 'Approve' : 'Reject'}</button>`,
    )
    .join(' ')}</p>`;

/** The page in parts, to be written one after another: with videos it may exceed the maximum length of a string. */
export function* storyboardPage(board: Storyboard, hashes: Record<'style' | 'script', string>): Generator<string> {
  const policy = `default-src 'none'; img-src data:; media-src data:; style-src '${hashes.style}'; script-src '${hashes.script}'`;
  yield `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="${policy}"><title>${htmlText(board.account)}</title><style>${STORYBOARD_STYLE}</style></head>
<body data-storyboard="${htmlText(board.id)}"><header><h1>${htmlText(board.account)}, ${htmlText(board.day)}</h1><label>Your name <input id="name" maxlength="100"></label>
<span id="count" role="status"></span><button type="button" id="print">Print or save as PDF</button><button type="button" class="main" id="save">Save comments</button></header><main>
<p class="quiet">Comment on any text, and approve or reject each creative. Then save your comments and send the file back. Nothing is sent by this page.</p>`;
  for (const campaign of board.campaigns) {
    yield `<article><h2>${htmlText(campaign.name)}</h2><p class="facts">${campaign.facts.map(htmlText).join(' · ')} ${comment(campaign.row, null, campaign.name)}</p>`;
    for (const creative of campaign.creatives) yield* creativePart(creative);
    if (campaign.items.length > 0)
      yield `<h3>Items</h3><ul class="items">${campaign.items.map(itemPart).join('')}</ul>`;
    if (campaign.keywords.length > 0) {
      yield `<h3>Keywords</h3><ul class="keywords">${campaign.keywords
        .map(
          ({ row, text: words, fact }) =>
            `<li>${htmlText(words)} <span class="quiet">${htmlText(fact)}</span> ${comment(row, null, words)}</li>`,
        )
        .join('')}</ul>`;
    }
    yield '</article>';
  }
  yield `</main><script>${SCRIPT}</script></body></html>\n`;
}

function* creativePart(creative: StoryboardCreative): Generator<string> {
  const { row, shows, brand, headline, logo, still, video, without, captions, fields, changes } = creative;
  yield `<h3>${shows === 'banner' ? 'Banner' : 'Video'}</h3>`;
  if (shows === 'banner') {
    const picture = logo === null ? '' : `<img alt="Logo" src="${logo}">`;
    yield `<div class="banner">${picture}<span><span class="quiet">${htmlText(brand)}</span><b>${htmlText(headline)}</b></span></div>`;
  } else {
    if (video !== null) yield `<video controls preload="metadata" src="${video}"></video>`;
    else if (still !== null) yield `<img class="still" alt="Video still" src="${still}">`;
    if (without !== '') yield `<p class="quiet">${htmlText(without)}</p>`;
    if (captions.length > 0) yield `<h3>Captions</h3><p>${captions.map(htmlText).join('<br>')}</p>`;
  }
  yield `<dl>${fields.map(({ field, label, text: value }) => `<dt>${htmlText(label)}</dt><dd>${htmlText(value)} ${comment(row, field, label)}</dd>`).join('')}</dl>`;
  if (changes !== null) {
    const list =
      changes.length === 0
        ? 'Nothing has changed since the last approval.'
        : `Changed since the last approval: ${changes.join('; ')}`;
    yield `<p class="quiet">${htmlText(list)}</p>`;
  }
  yield verdicts(row);
}

const itemPart = ({ row, name, picture, fact }: StoryboardCampaign['items'][number]): string =>
  `<li>${picture === null ? '' : `<img alt="" src="${picture}">`}<br>${htmlText(name)} <span class="quiet">${htmlText(fact)}</span> ${comment(row, null, name)}</li>`;
