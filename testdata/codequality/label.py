"""Writes a set of labelled symbols for codequality -code: where tree-sitter says that they are defined.

    pip install tree-sitter-language-pack==0.9.0
    python label.py [-n 25] [-seed 42] OUT LANGUAGE:GITDIR:REGEXP…

Of each repository n definitions are taken, from the files of the newest commit whose path matches; the files are copied
below OUT. A name that its file defines twice is left out, and so is what is local to a function or longer than 400 lines.
A language is one of tree-sitter's, or markdown, whose headings are read here. The files stay what their licences say.
"""
import argparse
import os
import random
import re
import subprocess

# What defines a symbol, in the words of the grammars.
DEFINES = {
    "go": "function_declaration method_declaration type_spec const_spec var_spec",
    "python": "function_definition class_definition",
    "javascript": "function_declaration class_declaration method_definition generator_function_declaration assignment_expression",
    "typescript": "function_declaration class_declaration method_definition interface_declaration type_alias_declaration enum_declaration "
                  "abstract_class_declaration variable_declarator",
    "java": "class_declaration interface_declaration enum_declaration method_declaration constructor_declaration record_declaration",
    "c": "function_definition struct_specifier enum_specifier union_specifier preproc_def preproc_function_def",
    "cpp": "function_definition struct_specifier enum_specifier class_specifier",
    "csharp": "class_declaration interface_declaration enum_declaration struct_declaration method_declaration constructor_declaration "
              "property_declaration record_declaration delegate_declaration",
    "rust": "function_item struct_item enum_item trait_item type_item const_item static_item macro_definition mod_item",
    "ruby": "method singleton_method class module",
    "php": "method_declaration class_declaration interface_declaration trait_declaration function_definition enum_declaration",
    "kotlin": "function_declaration class_declaration object_declaration type_alias",
    "swift": "function_declaration class_declaration protocol_declaration init_declaration typealias_declaration",
    "bash": "function_definition",
}
HOLDERS = ("impl_item trait_item mod_item class_declaration class_definition class_specifier struct_specifier interface_declaration "
           "trait_declaration enum_declaration struct_declaration class module protocol_declaration object_declaration "
           "abstract_class_declaration record_declaration").split()
FUNCTIONS = ("function_definition function_declaration method_definition method_declaration function_item method singleton_method arrow_function "
             "function_expression function lambda_literal lambda_expression constructor_declaration init_declaration computed_property "
             "anonymous_initializer object_creation_expression").split()
WRAPPERS = ("template_declaration", "decorated_definition", "export_statement", "lexical_declaration", "type_declaration", "const_declaration", "var_declaration")


def text(node):
    return node.text.decode("utf8", "replace")


def name_node(node):
    if node.type == "assignment_expression":
        return node.child_by_field_name("left")
    found = node.child_by_field_name("name")
    while found is None and node.child_by_field_name("declarator") is not None:
        node = node.child_by_field_name("declarator")
        if node.child_by_field_name("declarator") is None:
            return node
    return found or next((c for c in node.children if c.type in ("simple_identifier", "type_identifier", "identifier")), None)


def owners(node):
    """The names of what a definition is in; None if that is a function."""
    out = []
    receiver = node.child_by_field_name("receiver")
    if receiver is not None:  # of Go
        return [re.sub(r"[\[(].*", "", re.split(r"[\s*]", text(receiver).strip("() "))[-1])]
    while (node := node.parent) is not None:
        if node.type in FUNCTIONS:
            return None
        if node.type in HOLDERS and node.parent is not None:  # the root of Python is a module too
            name = node.child_by_field_name("type") or name_node(node)
            out.insert(0, re.split(r"\.|::", re.sub(r"<.*", "", text(name), flags=re.S))[-1] if name else "")
    return out


def symbols(language, source, parser):
    nodes = [parser.parse(source).root_node]
    while nodes:
        node = nodes.pop()
        nodes.extend(node.children)
        if node.type not in DEFINES[language].split() or node.type.endswith("_specifier") and node.child_by_field_name("body") is None:
            continue
        if node.type == "assignment_expression" and node.child_by_field_name("right").type not in FUNCTIONS:
            continue
        if node.type == "class_declaration" and language == "swift" and node.children[0].type == "extension":
            continue
        within, name = owners(node), name_node(node)
        if within is None or name is None:
            continue
        symbol = ".".join(within + [text(name).replace("::", ".").replace(".prototype.", ".")])
        outer = node
        while outer.parent is not None and (outer.parent.type in WRAPPERS and outer.parent.named_child_count <= 2 or outer.parent.type == "expression_statement"):
            outer = outer.parent
        last = outer.end_point[0] + (1 if outer.end_point[1] > 0 else 0)
        yield symbol, outer.start_point[0] + 1, max(outer.start_point[0], name.start_point[0]) + 1, last


def headings(lines):
    fence, found = "", []
    for i, line in enumerate(lines):
        mark = re.match(r" {0,3}(```+|~~~+)", line)
        if mark:
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        elif not fence and (m := re.match(r"(#{1,6})\s+(.*?)\s*#*\s*$", line)):
            found.append((i, len(m[1]), m[2]))
    for k, (i, level, title) in enumerate(found):
        end = next((j for j, other, _ in found[k + 1:] if other <= level), len(lines))
        while not lines[end - 1].strip():
            end -= 1
        yield title, i + 1, i + 1, end


def git(directory, *args):
    return subprocess.check_output(["git", "-C", directory, *args])


def main():
    args = argparse.ArgumentParser()
    args.add_argument("-n", type=int, default=25)
    args.add_argument("-seed", type=int, default=42)
    args.add_argument("out")
    args.add_argument("repositories", nargs="+")
    o = args.parse_args()
    random.seed(o.seed)
    rows = []
    for language, directory, wanted in (r.split(":", 2) for r in o.repositories):
        if language != "markdown":
            from tree_sitter_language_pack import get_parser
        where = re.sub(r"\W+", "-", directory.strip("/").removesuffix("/.git"))
        found = []
        for file in git(directory, "ls-tree", "-r", "--name-only", "HEAD").decode().splitlines():
            if not re.search(wanted, file):
                continue
            source = git(directory, "show", "HEAD:" + file).replace(b"\r\n", b"\n")
            if language == "markdown":
                all_of = list(headings(source.decode("utf8", "replace").splitlines()))
            else:
                all_of = list(symbols(language, source, get_parser("tsx" if file.endswith(".tsx") else language)))
            names = [s[0] for s in all_of]
            found += [(file, source, s) for s in all_of if names.count(s[0]) == 1 and s[3] - s[1] < 400 and re.fullmatch(r"[^#\s][^#\n\t]*", s[0])]
        random.shuffle(found)
        for file, source, s in found[:o.n]:
            at = os.path.join(o.out, where, file)
            os.makedirs(os.path.dirname(at), exist_ok=True)
            with open(at, "wb") as f:
                f.write(source)
            rows.append("\t".join([language, where + "/" + file, *map(str, s)]))
    with open(os.path.join(o.out, "labels.tsv"), "w") as f:
        f.write("\n".join(rows) + "\n")


main()
