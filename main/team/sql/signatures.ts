import { shownToMembers } from './tables.ts';

/**
 * Signatures of entries and verdicts (`main/team/signing.ts`). The database can't verify them; readers do. It stores
 * the first registered key of each computer, and refuses unsigned entries of a computer with a key.
 */
export const SIGNATURES_SQL = `
/* Entries up to this push, and verdicts up to this number, are older than the key. */
ALTER TABLE desk ADD signs_from_push int, ADD signs_from_verdict bigint;

CREATE TABLE signature (
  workspace uuid NOT NULL REFERENCES workspace,
  desk int NOT NULL,
  push int NOT NULL,
  based_hash bytea NOT NULL,
  signature bytea NOT NULL CHECK (octet_length(signature) = 64),
  PRIMARY KEY (workspace, desk, push)
);
CREATE TRIGGER signature_is_kept BEFORE UPDATE ON signature FOR EACH ROW EXECUTE FUNCTION never();
CREATE TRIGGER signature_stays BEFORE TRUNCATE ON signature FOR EACH STATEMENT EXECUTE FUNCTION never();
${shownToMembers('signature')}

/* A signature is deleted with its entry, never before. */
CREATE FUNCTION signature_goes() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  DELETE FROM adslate.signature s WHERE s.workspace = OLD.workspace AND s.desk = OLD.desk AND s.push = OLD.push;
  RETURN NULL;
END $$;
CREATE TRIGGER change_set_signature_goes AFTER DELETE ON change_set FOR EACH ROW EXECUTE FUNCTION signature_goes();
CREATE FUNCTION signature_kept() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM adslate.change_set c WHERE c.workspace = OLD.workspace AND c.desk = OLD.desk AND c.push = OLD.push) THEN
    RAISE EXCEPTION 'signatures are never deleted' USING ERRCODE = '42501';
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER signature_is_not_deleted BEFORE DELETE ON signature FOR EACH ROW EXECUTE FUNCTION signature_kept();

/* An unsigned entry of a computer with a key, as an older version would write it, would stop all colleagues. */
CREATE FUNCTION must_be_signed() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM adslate.desk d WHERE d.workspace = NEW.workspace AND d.no = NEW.desk AND d.sign_key IS NOT NULL)
      AND NOT EXISTS (SELECT FROM adslate.signature s
        WHERE s.workspace = NEW.workspace AND s.desk = NEW.desk AND s.push = NEW.push) THEN
    RAISE EXCEPTION 'this computer signs what it shares' USING ERRCODE = 'AD007';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER change_set_is_signed AFTER INSERT ON change_set DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION must_be_signed();

CREATE FUNCTION key_stays() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF OLD.sign_key IS NOT NULL AND (OLD.sign_key, OLD.signs_from_push, OLD.signs_from_verdict)
      IS DISTINCT FROM (NEW.sign_key, NEW.signs_from_push, NEW.signs_from_verdict) THEN
    RAISE EXCEPTION 'the key of a computer is never changed' USING ERRCODE = '42501';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER desk_key_stays BEFORE UPDATE ON desk FOR EACH ROW EXECUTE FUNCTION key_stays();

/* Registers the public key of a computer, once. False if it has another one: then it needs another number. */
CREATE FUNCTION sign_key_v1(of uuid, desk_no int, key bytea) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
BEGIN
  PERFORM adslate.own_desk(of, desk_no, 'view');
  IF octet_length(key) <> 32 THEN
    RAISE EXCEPTION 'a public key has 32 bytes' USING ERRCODE = '22023';
  END IF;
  PERFORM FROM adslate.workspace w WHERE w.id = of FOR UPDATE;
  UPDATE adslate.desk d SET sign_key = key, signs_from_push = d.last_push,
    signs_from_verdict = (SELECT coalesce(max(v.no), 0) FROM adslate.verdict v WHERE v.workspace = of)
    WHERE d.workspace = of AND d.no = desk_no AND d.sign_key IS NULL;
  RETURN (SELECT d.sign_key = key FROM adslate.desk d WHERE d.workspace = of AND d.no = desk_no);
END $$;

/* Same as append_v1, for a signed entry. */
CREATE FUNCTION append_v2(of uuid, desk_no int, push_no int, based_on bigint, based_on_hash bytea, set_kind text,
    set_label text, set_scopes int4multirange, cell_count int, set_format int, body bytea, part_count int, signed bytea,
    OUT answer text, OUT seq bigint, OUT hash bytea)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
BEGIN
  SELECT a.answer, a.seq, a.hash INTO answer, seq, hash FROM adslate.append_v1(of, desk_no, push_no, based_on, based_on_hash,
    set_kind, set_label, set_scopes, cell_count, set_format, body, part_count) a;
  IF answer = 'ok' AND signed IS NOT NULL THEN
    INSERT INTO adslate.signature VALUES (of, desk_no, push_no, based_on_hash, signed);
  END IF;
END $$;

GRANT EXECUTE ON FUNCTION sign_key_v1, append_v2 TO adslate_member;
`;
