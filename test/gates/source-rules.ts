import { type CodeRule, importOf } from './code-rule.ts';

/** What variables are called that hold something of the user's or the service's, or a number that grows. */
const VALUES = 'value|text|input|filter|query|params|step|moment|first|count|limit|offset';

/** What the code itself may not do: run text, make markup of it, read the time, hide a failure. */
export const SOURCE_RULES: readonly CodeRule[] = [
  {
    name: 'no-markup-from-text',
    why: 'Names and messages of others are text nodes, never markup.',
    find: {
      any: [
        {
          kind: 'property_identifier',
          regex:
            '^(innerHTML|outerHTML|srcdoc|srcDoc|dangerouslySetInnerHTML|insertAdjacentHTML|createContextualFragment|setHTMLUnsafe)$',
        },
        { pattern: 'document.write($$$A)' },
      ],
    },
    planted: [
      'const part = <iframe srcDoc={name} />;',
      'node.innerHTML = name;',
      "node.insertAdjacentHTML('beforeend', name);",
      'document.write(name);',
    ],
  },
  {
    name: 'no-code-from-text',
    why: 'Text is never run.',
    find: {
      any: [
        { pattern: 'eval($$$A)' },
        { pattern: 'new Function($$$A)' },
        { pattern: 'Function($$$A)' },
        ...['setTimeout', 'setInterval'].map((timer) => ({
          pattern: `${timer}($T, $$$A)`,
          has: { kind: 'string', nthChild: 1, stopBy: { kind: 'arrow_function' } },
        })),
      ],
    },
    planted: [
      "eval('1');",
      "new Function('a', 'return a');",
      "Function('return this')();",
      "setInterval('tick()', 5);",
    ],
  },
  {
    name: 'no-trusted-types-policy',
    why: 'The page policy names none; one that is made here would open it.',
    find: {
      any: [
        { pattern: '$X.createPolicy($$$A)' },
        { kind: 'string_fragment', regex: 'allow-duplicates|unsafe-eval|unsafe-inline' },
      ],
    },
    planted: ["trustedTypes.createPolicy('default', {});", 'const policy = "script-src \'unsafe-inline\'";'],
  },
  {
    name: 'chance-comes-from-the-system',
    why: 'Ids, codes and nonces must not be guessable.',
    find: { pattern: 'Math.random()' },
    planted: ['const id = Math.random().toString(36);'],
  },
  {
    name: 'one-clock',
    why: 'Tests move the time; whoever reads it elsewhere cannot be tested.',
    find: { any: [{ pattern: 'Date.now()' }, { pattern: 'new Date()' }] },
    only: ['main/', 'shared/'],
    but: ['main/clock.ts', 'main/host/cli/demo/'],
    planted: ['const at = Date.now();', 'const today = new Date();'],
  },
  {
    name: 'one-log',
    why: 'The log takes listed fields only; the console takes everything.',
    find: { pattern: 'console.$M($$$A)' },
    planted: ['console.log(secret);'],
  },
  {
    name: 'words-of-the-environment-are-read-by-entries',
    why: 'What a program does is decided by its arguments, not by its surroundings.',
    find: {
      any: [{ pattern: 'process.env' }, { pattern: 'const { env } = process' }, importOf('node:process|process')],
    },
    only: ['main/', 'shared/', 'preload/', 'sandbox/'],
    but: ['main/host/'],
    planted: ["const level = process.env['LEVEL'];", "import { env } from 'node:process';"],
  },
  {
    name: 'no-extensions-in-the-database',
    why: 'A workspace file from somebody else must not be able to load code.',
    find: {
      any: [
        { kind: 'property_identifier', regex: '^(enableLoadExtension|loadExtension)$' },
        { kind: 'pair', regex: '^allowExtension: *[^f ]' },
      ],
    },
    planted: ['database.enableLoadExtension(true);', 'new DatabaseSync(file, { allowExtension: true });'],
  },
  {
    name: 'no-values-in-sql',
    why: 'Values are bound; only names of our own tables and columns, and constants, are written into a statement.',
    find: {
      kind: 'template_substitution',
      inside: { kind: 'template_string', regex: '\\b(SELECT|FROM|WHERE|SET|VALUES|LIMIT|AND|OR|IN|UNION|PRAGMA)\\b' },
      regex: `^.\\{([\\w.]+\\.)?(id|ids|\\w+(Id|Ids|Ms|Count|Limit)|${VALUES})( *[-+] *\\w+)?\\}$`,
    },
    only: ['main/', 'sandbox/'],
    // biome-ignore-start lint/suspicious/noTemplateCurlyInString: the planted sources are templates, these texts are not
    planted: [
      "database.prepare(`SELECT * FROM row WHERE name = '${input}'`);",
      'readIds(db, `SELECT id FROM (${view.sql}) WHERE id > ${view.highestId}`);',
      'db.run(`INSERT INTO step_row SELECT ${step}, id FROM row`);',
      'const where = `k.parent = ${ref.id} AND k.dirty = 0`;',
      'db.all(`${sql} LIMIT ${count}`);',
      'db.run(`UPDATE row SET id = ${firstId - 1}`);',
    ],
    // biome-ignore-end lint/suspicious/noTemplateCurlyInString: as above
  },
  {
    name: 'no-slow-patterns',
    why: 'A repeated group of repetitions can take for ever on a text made for it.',
    find: { kind: 'regex_pattern', regex: '\\([^()|]*[+*][^()|]*\\)[+*]' },
    planted: ['const pattern = /^(a+)+$/;'],
  },
  {
    name: 'parsed-objects-are-not-assigned',
    why: 'Object.assign takes a planted prototype along; a spread does not.',
    find: { pattern: 'Object.assign($T, JSON.parse($A))' },
    planted: ['Object.assign(settings, JSON.parse(text));'],
  },
  {
    name: 'messages-name-their-receiver',
    why: 'A message to "*" is a message to anybody.',
    find: { any: [{ pattern: "$W.postMessage($M, '*', $$$R)" }, { pattern: "$W.postMessage($M, '*')" }] },
    planted: ["window.parent.postMessage(port, '*', [port]);", "page.postMessage('ready', '*');"],
  },
  {
    name: 'nothing-is-kept-by-the-browser',
    why: 'Local storage outlives the session and knows no lock; only the page token lies in the tab, and a layout on its way to the next page.',
    find: {
      any: [
        { kind: 'identifier', regex: '^(localStorage|sessionStorage|indexedDB)$' },
        { kind: 'property_identifier', regex: '^(localStorage|sessionStorage|indexedDB)$' },
        { pattern: 'document.cookie' },
      ],
    },
    but: ['renderer/transport/session.ts', 'renderer/app/left-layout.ts'],
    planted: ["localStorage.setItem('token', token);", 'const all = document.cookie;'],
  },
  {
    name: 'no-weak-hashes',
    why: 'MD5 and SHA-1 can be made to collide.',
    find: {
      any: [
        { pattern: 'createHash($A)' },
        { pattern: '$X.createHash($A)' },
        { pattern: 'createHmac($A, $K)' },
        { pattern: 'hash($A, $$$B)' },
      ],
      has: { kind: 'string_fragment', regex: '^(md4|md5|sha1|sha-1|ripemd160)$', stopBy: 'end' },
    },
    but: ['sandbox/'],
    planted: [
      "createHash('md5').update(bytes);",
      "crypto.createHash('sha1');",
      "createHmac('md5', key);",
      "hash('md5', text);",
    ],
  },
  {
    name: 'no-swallowed-failures',
    why: 'A failure that nobody hears of is found by the user.',
    find: {
      any: [
        { kind: 'catch_clause', has: { kind: 'statement_block', regex: '^\\{\\s*\\}$' } },
        { pattern: '$P.catch(() => {})' },
      ],
    },
    planted: ['try { save(); } catch {}', 'save().catch(() => {});'],
  },
  {
    name: 'no-turned-off-checks',
    why: 'The compiler is not told to look away.',
    find: {
      any: [
        { kind: 'comment', regex: '@ts-(ignore|nocheck)' },
        { kind: 'as_expression', regex: ' as any$' },
      ],
    },
    planted: ['// @ts-ignore\nconst a = b;', 'const a = b as any;'],
  },
];
