#!/usr/bin/env python3
"""rename.py MAP...: rename identifiers and files of a tree (current directory), as maps say.
Lines of a map:
  all  OLD NEW [GLOB...]   whole words everywhere (code, comments, strings, docs)
  code OLD NEW [GLOB...]   whole words in C code, not in comments and strings
  file OLD NEW             git mv, and #include paths follow
GLOB limits to files (fnmatch on path, comma or space separated); default: all tracked text files."""
import sys, re, subprocess, fnmatch, os
def files():
    out = subprocess.run(['git','ls-files'],capture_output=True,text=True).stdout.split('\n')
    return [f for f in out if f and os.path.isfile(f) and re.search(r'\.(c|h|md|cpp|hpp|txt|json|cmake|mjs|js|py|in)$|^scripts/[a-z-]+$|Makefile$|^\.ci/run$|^tests/(install|tools|io)/[a-z]+$',f)]
tok = re.compile(r'//[^\n]*(?:\\\n[^\n]*)*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|[A-Za-z_][A-Za-z0-9_]*|.', re.S)
def main():
    alls, codes, moves = [], [], []
    for m in sys.argv[1:]:
        for n,l in enumerate(open(m)):
            l = l.split('#')[0].split()
            if not l: continue
            kind, old, new, globs = l[0], l[1], l[2], l[3:]
            (alls if kind=='all' else codes if kind=='code' else moves).append((old,new,globs))
    for old,new,_ in moves:
        os.makedirs(os.path.dirname(new) or '.',exist_ok=True)
        if os.path.exists(old): subprocess.check_call(['git','mv',old,new])
        else: print('no file', old)
    incs = {}
    for old,new,_ in moves:
        for p in ('src/','include/',''):
            if old.startswith(p) and new.startswith(p): incs[old[len(p):]] = new[len(p):]; break
    used = set()
    ok = lambda f,globs: not globs or any(fnmatch.fnmatch(f,g) for g in globs)
    for f in files():
        s = open(f,encoding='utf-8',errors='surrogateescape').read(); o = s
        a = {old:new for old,new,g in alls if ok(f,g)}
        if a:
            def sub(m):
                w = m.group(0)
                if w in a: used.add(w); return a[w]
                return w
            s = re.sub(r'[A-Za-z_][A-Za-z0-9_]*', sub, s)
        if re.search(r'\.(c|h|cpp|hpp)$',f):
            c = {old:new for old,new,g in codes if ok(f,g)}
            if c:
                def sub2(m):
                    w = m.group(0)
                    if w in c: used.add(w); return c[w]
                    return w
                s = tok.sub(sub2, s)
        for old,new in incs.items():
            s = re.sub(r'(?<![A-Za-z0-9_])'+re.escape(old)+r'(?![A-Za-z0-9_])', new, s)
        if s != o: open(f,'w',encoding='utf-8',errors='surrogateescape').write(s)
    for old,new,_ in alls+codes:
        if old not in used: print('unused', old)
main()
