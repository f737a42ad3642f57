# Join the files of io/viewer into one page and write it as a C array:
#
#   cmake -D FOLDER=io/viewer -D OUTPUT=viewer_page.c -P EmbedViewer.cmake
#
# @STYLE@ and @SCRIPT@ of page.html are filled in here, what else is between @ signs by the library.
# Everything goes by hexadecimal digits: as text, CMake would take ; and [ for signs of its lists.
set(scripts glb draw camera charts run bench main)
file(READ ${FOLDER}/page.html page HEX)
file(READ ${FOLDER}/page.css style HEX)
set(script "")
foreach(name IN LISTS scripts)
	file(READ ${FOLDER}/${name}.js part HEX)
	string(APPEND script "${part}0a")
endforeach()
string(HEX "@STYLE@" style_mark)
string(HEX "@SCRIPT@" script_mark)
string(REPLACE "${style_mark}" "${style}" page "${page}")
string(REPLACE "${script_mark}" "${script}" page "${page}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," page "${page}")
string(REGEX REPLACE "(................................................................................)" "\\1\n" page "${page}")
file(WRITE ${OUTPUT} "// Made of the files in io/viewer by cmake/EmbedViewer.cmake.
extern const unsigned char rbl_io_viewer_page[];
const unsigned char rbl_io_viewer_page[] = {
${page}0 };
")
