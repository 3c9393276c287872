module spindle/native

go 1.22
